// cause: only lane 0 has the maximum of its warp after __shfl_down_sync
// first: wrong_value ratio
// says: So they are not e^(x - m) divided by s with the same m and the same s.
// asks: Which number does the thread of each of the two columns subtract, and by which one does it divide?
#include <float.h>

extern "C" __global__ void __launch_bounds__(256) softmax(const float *in, float *out, int rows, int columns)
{
    const float *x = in + (size_t)blockIdx.x * columns;
    float *y = out + (size_t)blockIdx.x * columns;
    int t = threadIdx.x;
    float m = -FLT_MAX;
    for (int c = t; c < columns; c += 256)
        m = fmaxf(m, x[c]);
    for (int d = 16; d > 0; d /= 2)
        m = fmaxf(m, __shfl_down_sync(0xffffffff, m, d));
    __shared__ float cells[256];
    float s = 0;
    for (int c = t; c < columns; c += 256)
        s += expf(x[c] - m);
    cells[t] = s;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (t < half)
            cells[t] += cells[t + half];
        __syncthreads();
    }
    s = cells[0];
    for (int c = t; c < columns; c += 256)
        y[c] = expf(x[c] - m) / s;
}
