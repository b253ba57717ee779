// cause: The old maximum a.x is overwritten before the factor e^(old - new) is computed from it, so the factor is always 1 and the sum is not rescaled
// first: wrong_value factor
// says: sets a.x to top, so that a.x - top in line
// asks: The results of the row are in the right proportion. What are they divided by: how does that number come about?
#include <float.h>    // FLT_MAX, the largest float
#include <math.h>     // INFINITY

#define BLOCK 128

// Helper functions, if you want any.
// x is the maximum, y the sum
__device__ float2 join(float2 a, float2 b)
{
    float top = fmaxf(a.x, b.x);
    a.x = top;
    a.y = a.y * expf(a.x - top) + b.y * expf(b.x - top);
    return a;
}

extern "C" __global__ void __launch_bounds__(BLOCK) softmax(const float *in, float *out, int rows, int columns)
{
    // Where does this block's row begin, in `in` and in `out`? All threads must reach every barrier, however short the
    // row is.
    const float *from = &in[(size_t)blockIdx.x * columns];
    float *to = &out[(size_t)blockIdx.x * columns];
    int t = threadIdx.x;

    // Each thread looks at every 128th number of the row. It keeps the largest one so far, and the sum of e^(x - largest).
    // What has to happen to that sum when a larger number comes?
    float2 mine = make_float2(-FLT_MAX, 0.0f);
    for (int c = t; c < columns; c += BLOCK)
        mine = join(mine, make_float2(from[c], 1.0f));

    // The threads put together what they have found: the maximum of the row, and the sum of e^(x - maximum).
    __shared__ float2 cells[BLOCK];
    cells[t] = mine;
    for (int half = BLOCK / 2; half > 0; half /= 2) {
        __syncthreads();
        if (t < half)
            cells[t] = join(cells[t], cells[t + half]);
    }
    __syncthreads();
    float2 all = cells[0];

    // Each thread writes its results.
    for (int c = t; c < columns; c += BLOCK)
        to[c] = expf(from[c] - all.x) / all.y;
}
