// cause: The results use the maximum that this thread has found, but the sum belongs to the maximum of the whole row
// first: wrong_value ratio
// says: So they are not e^(x - m) divided by s with the same m and the same s.
// asks: Which number does the thread of each of the two columns subtract, and by which one does it divide?
#include <float.h>    // FLT_MAX, the largest float
#include <math.h>     // INFINITY

#define BLOCK 128

// Helper functions, if you want any.
// x is the maximum, y the sum
__device__ float2 join(float2 a, float2 b)
{
    float top = fmaxf(a.x, b.x);
    a.y = a.y * expf(a.x - top) + b.y * expf(b.x - top);
    a.x = top;
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
        to[c] = expf(from[c] - mine.x) / all.y;
}
