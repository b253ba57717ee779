/* attention as two matrix products with register tiles.
 *
 *   scores     a tile of 64 queries x 32 keys. A thread computes 8 x 4 of them: for each of the 64 numbers of a head, it loads
 *              8 + 4 numbers and multiplies 32 times. Queries and keys are transposed in shared memory, so that these are
 *              three loads of 16 bytes.
 *   maximum    8 neighbouring lanes hold the scores of the same 8 queries, so that a maximum takes 3 shuffles. The sum of the
 *              weights stays apart in the 8 lanes until the end.
 *   weights    go to shared memory for the second product. They are read by lanes of the same warp alone: no barrier.
 *   results    8 queries x 8 numbers for each thread, and 64 multiplications for four loads of 16 bytes.
 *   powers     of 2, which the hardware computes: queries are multiplied by log2(e) / 8 when they are loaded.
 */

#include <float.h>
#include <math.h>

#define HEAD 64
#define BLOCK 64                     // threads, and queries
#define TILE 32                      // keys
#define ROWS 8                       // of a thread: queries,
#define KEYS 4                       // and keys
#define LANES 8                      // that share the queries
#define QUERY_STRIDE (BLOCK + 4)     // of transposed rows: 4 rows on are 16 banks on
#define KEY_STRIDE (TILE + 4)
#define LOG2_E 1.4426950408889634f
#define ALL_LANES 0xffffffffu

// Rows of 64 floats, `count` of `rows` of them, into columns of `to`; 0 for the others. Two lanes load 32 bytes of a row.
template <int rows, int stride> __device__ void load_transposed(float (*to)[stride], const float *from, int count, float factor)
{
#pragma unroll
    for (int step = 0; step < rows * HEAD / (4 * BLOCK); step++) {
        int at = step * BLOCK + threadIdx.x;
        int row = at / 2 % rows, d = at / (2 * rows) * 8 + at % 2 * 4;
        float4 four = make_float4(0, 0, 0, 0);
        if (row < count) {
            four = *(const float4 *)&from[row * HEAD + d];
        }
        to[d][row] = four.x * factor, to[d + 1][row] = four.y * factor;
        to[d + 2][row] = four.z * factor, to[d + 3][row] = four.w * factor;
    }
}

__device__ void load_rows(float (*to)[HEAD], const float *from, int count)
{
#pragma unroll
    for (int step = 0; step < TILE * HEAD / (4 * BLOCK); step++) {
        int at = (step * BLOCK + threadIdx.x) * 4;
        float4 four = make_float4(0, 0, 0, 0);
        if (at / HEAD < count) {
            four = *(const float4 *)&from[at];
        }
        *(float4 *)&to[at / HEAD][at % HEAD] = four;
    }
}

__device__ void load_8(float (&to)[8], const float *from)
{
    *(float4 *)&to[0] = *(const float4 *)from;
    *(float4 *)&to[4] = *(const float4 *)(from + 4);
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    attention(const float *__restrict__ q, const float *__restrict__ k, const float *__restrict__ v, float *__restrict__ out,
              int queries, int keys)
{
    __shared__ __align__(16) float columns_q[HEAD][QUERY_STRIDE], columns_k[HEAD][KEY_STRIDE];
    __shared__ __align__(16) float rows_v[TILE][HEAD], weights[TILE][QUERY_STRIDE];
    int first = blockIdx.x * BLOCK, here = min(BLOCK, queries - first);
    int row = threadIdx.x / LANES * ROWS, lane = threadIdx.x % LANES;
    float sums[ROWS][8] = {}, maximum[ROWS], sum[ROWS] = {};
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        maximum[r] = -FLT_MAX;
    }
    load_transposed<BLOCK>(columns_q, q + (size_t)first * HEAD, here, LOG2_E / 8);

    for (int tile = 0; tile < keys; tile += TILE) {
        __syncthreads();    // nobody reads the tile before any more
        load_transposed<TILE>(columns_k, k + (size_t)tile * HEAD, keys - tile, 1);
        load_rows(rows_v, v + (size_t)tile * HEAD, keys - tile);
        __syncthreads();    // the tile is complete, and so are the queries

        float scores[ROWS][KEYS] = {};
#pragma unroll 4
        for (int d = 0; d < HEAD; d++) {
            float query[ROWS], key[KEYS];
            load_8(query, &columns_q[d][row]);
            *(float4 *)key = *(const float4 *)&columns_k[d][lane * KEYS];
#pragma unroll
            for (int r = 0; r < ROWS; r++) {
#pragma unroll
                for (int j = 0; j < KEYS; j++) {
                    scores[r][j] += query[r] * key[j];
                }
            }
        }

#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            float larger = maximum[r];
#pragma unroll
            for (int j = 0; j < KEYS; j++) {
                if (tile + lane * KEYS + j >= keys) {
                    scores[r][j] = -INFINITY;
                }
                larger = fmaxf(larger, scores[r][j]);
            }
#pragma unroll
            for (int mask = LANES / 2; mask > 0; mask /= 2) {
                larger = fmaxf(larger, __shfl_xor_sync(ALL_LANES, larger, mask));
            }
            float factor = exp2f(maximum[r] - larger);
            maximum[r] = larger;
            sum[r] *= factor;
#pragma unroll
            for (int c = 0; c < 8; c++) {
                sums[r][c] *= factor;
            }
#pragma unroll
            for (int j = 0; j < KEYS; j++) {
                scores[r][j] = exp2f(scores[r][j] - larger);
                sum[r] += scores[r][j];
            }
        }
#pragma unroll
        for (int j = 0; j < KEYS; j++) {
            float *to = &weights[lane * KEYS + j][row];
            *(float4 *)to = make_float4(scores[0][j], scores[1][j], scores[2][j], scores[3][j]);
            *(float4 *)(to + 4) = make_float4(scores[4][j], scores[5][j], scores[6][j], scores[7][j]);
        }
        __syncwarp();    // the weights of the warp's queries are there

#pragma unroll 4
        for (int j = 0; j < TILE; j++) {
            float weight[ROWS], value[8];
            load_8(weight, &weights[j][row]);
            *(float4 *)&value[0] = *(const float4 *)&rows_v[j][lane * 4];
            *(float4 *)&value[4] = *(const float4 *)&rows_v[j][HEAD / 2 + lane * 4];
#pragma unroll
            for (int r = 0; r < ROWS; r++) {
#pragma unroll
                for (int c = 0; c < 8; c++) {
                    sums[r][c] += weight[r] * value[c];
                }
            }
        }
    }

#pragma unroll
    for (int r = 0; r < ROWS; r++) {
#pragma unroll
        for (int mask = LANES / 2; mask > 0; mask /= 2) {
            sum[r] += __shfl_xor_sync(ALL_LANES, sum[r], mask);
        }
        if (row + r < here) {
            float *to = out + (size_t)(first + row + r) * HEAD + lane * 4;
            float factor = 1 / sum[r];
            *(float4 *)to =
                make_float4(sums[r][0] * factor, sums[r][1] * factor, sums[r][2] * factor, sums[r][3] * factor);
            *(float4 *)(to + HEAD / 2) =
                make_float4(sums[r][4] * factor, sums[r][5] * factor, sums[r][6] * factor, sums[r][7] * factor);
        }
    }
}
