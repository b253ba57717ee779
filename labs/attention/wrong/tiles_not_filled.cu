// expect: uninitialized shared - the rest of the last tile is what was there before, times the weight 0
#include <float.h>
#include <math.h>

__device__ void load_rows(float (*tile)[65], const float *from, int rows, int all)
{
    for (int at = threadIdx.x; at < all * 64; at += 64)
        if (at / 64 < rows)
            tile[at / 64][at % 64] = from[at];
}

extern "C" __global__ void __launch_bounds__(64) attention(const float *q, const float *k, const float *v, float *out, int queries,
                                                           int keys)
{
    __shared__ float own[64][65], tile_k[32][65], tile_v[32][65];
    int t = threadIdx.x, first = blockIdx.x * 64, here = min(64, queries - first);
    float query[64], acc[64], m = -FLT_MAX, s = 0;
    load_rows(own, q + (size_t)first * 64, here, 64);
    __syncthreads();
    for (int d = 0; d < 64; d++) {
        query[d] = own[t][d];
        acc[d] = 0;
    }
    for (int tile = 0; tile < keys; tile += 32) {
        __syncthreads();
        load_rows(tile_k, k + (size_t)tile * 64, keys - tile, 32);
        load_rows(tile_v, v + (size_t)tile * 64, keys - tile, 32);
        __syncthreads();
        for (int piece = 0; piece < 32; piece += 4) {
            float score[4], larger = m;
            for (int j = 0; j < 4; j++) {
                float dot = 0;
                for (int d = 0; d < 64; d++)
                    dot += query[d] * tile_k[piece + j][d];
                score[j] = tile + piece + j < keys ? dot / 8 : -INFINITY;
                larger = fmaxf(larger, score[j]);
            }
            float factor = expf(m - larger);
            m = larger;
            s *= factor;
            for (int d = 0; d < 64; d++)
                acc[d] *= factor;
            for (int j = 0; j < 4; j++) {
                float weight = expf(score[j] - m);
                s += weight;
                for (int d = 0; d < 64; d++)
                    acc[d] += weight * tile_v[piece + j][d];
            }
        }
    }
    for (int d = 0; d < 64; d++)
        own[t][d] = acc[d] / s;
    __syncthreads();
    for (int at = t; at < here * 64; at += 64)
        out[(size_t)first * 64 + at] = own[at / 64][at % 64];
}
