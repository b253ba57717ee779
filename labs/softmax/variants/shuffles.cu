/* softmax: each warp joins its lanes with shuffles, and one warp those of the others. */
#include <float.h>

// Maximum and sum of a warp, in all of its lanes.
__device__ void join_warp(float &m, float &s)
{
    for (int mask = 16; mask > 0; mask /= 2) {
        float other_m = __shfl_xor_sync(0xffffffffu, m, mask), other_s = __shfl_xor_sync(0xffffffffu, s, mask);
        float larger = fmaxf(m, other_m);
        s = s * expf(m - larger) + other_s * expf(other_m - larger);
        m = larger;
    }
}

extern "C" __global__ void __launch_bounds__(256) softmax(const float *in, float *out, int rows, int columns)
{
    const float *x = in + (size_t)blockIdx.x * columns;
    float *y = out + (size_t)blockIdx.x * columns;
    int t = threadIdx.x;
    float m = -FLT_MAX, s = 0;
    for (int c = t; c < columns; c += 256) {
        float larger = fmaxf(m, x[c]);
        s = s * expf(m - larger) + expf(x[c] - larger);
        m = larger;
    }
    __shared__ float maxima[8], sums[8];
    join_warp(m, s);
    if (t % 32 == 0) {
        maxima[t / 32] = m;
        sums[t / 32] = s;
    }
    __syncthreads();
    m = maxima[t % 8];
    s = t % 32 < 8 ? sums[t % 8] : 0;
    join_warp(m, s);
    for (int c = t; c < columns; c += 256)
        y[c] = expf(x[c] - m) / s;
}
