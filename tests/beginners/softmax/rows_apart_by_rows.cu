// cause: The row begins at blockIdx.x * rows instead of blockIdx.x * columns, so rows overlap or lie behind the end unless the matrix is square
// first: out_of_bounds
// says: begin = blockIdx.x*rows = 3*300 = 900
// asks: Which row and which column did the thread want, and how many are there?
#include <float.h>    // FLT_MAX, the largest float
#include <math.h>     // INFINITY

#define BLOCK 256
#define WARPS (BLOCK / 32)

// Helper functions, if you want any.
// (m, s) becomes the pair of both
__device__ void put_together(float &m, float &s, float m2, float s2)
{
    float big = fmaxf(m, m2);
    s = s * expf(m - big) + s2 * expf(m2 - big);
    m = big;
}

extern "C" __global__ void __launch_bounds__(BLOCK) softmax(const float *in, float *out, int rows, int columns)
{
    // Where does this block's row begin, in `in` and in `out`? All 256 threads must reach every barrier, however short the
    // row is.
    const int begin = blockIdx.x * rows;
    const float *row = in + begin;
    __shared__ float tops[WARPS];
    __shared__ float sums[WARPS];

    // Each thread looks at every 256th number of the row. It keeps the largest one so far, and the sum of e^(x - largest).
    // What has to happen to that sum when a larger number comes?
    float m = -FLT_MAX, s = 0.0f;
    for (int c = threadIdx.x; c < columns; c += BLOCK)
        put_together(m, s, row[c], 1.0f);

    // The threads put together what they have found: the maximum of the row, and the sum of e^(x - maximum).
    for (int d = 16; d > 0; d /= 2) {
        float m2 = __shfl_xor_sync(0xffffffffu, m, d);
        float s2 = __shfl_xor_sync(0xffffffffu, s, d);
        put_together(m, s, m2, s2);
    }
    if (threadIdx.x % 32 == 0) {
        tops[threadIdx.x / 32] = m;
        sums[threadIdx.x / 32] = s;
    }
    __syncthreads();
    for (int w = 0; w < WARPS; w++)
        m = fmaxf(m, tops[w]);
    s = 0.0f;
    for (int w = 0; w < WARPS; w++)
        s += sums[w] * expf(tops[w] - m);

    // Each thread writes its results.
    for (int c = threadIdx.x; c < columns; c += BLOCK)
        out[begin + c] = expf(row[c] - m) / s;
}
