// expect: never_written - one number for each thread: the rest of a long row is left out
#include <float.h>

extern "C" __global__ void __launch_bounds__(256) softmax(const float *in, float *out, int rows, int columns)
{
    const float *x = in + (size_t)blockIdx.x * columns;
    float *y = out + (size_t)blockIdx.x * columns;
    int t = threadIdx.x;
    float m = t < columns ? x[t] : -FLT_MAX;
    __shared__ float cells[256];
    cells[t] = m;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (t < half)
            cells[t] = fmaxf(cells[t], cells[t + half]);
        __syncthreads();
    }
    m = cells[0];
    __syncthreads();
    float s = t < columns ? expf(x[t] - m) : 0;
    cells[t] = s;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (t < half)
            cells[t] += cells[t + half];
        __syncthreads();
    }
    s = cells[0];
    if (t < columns)
        y[t] = expf(x[t] - m) / s;
}
