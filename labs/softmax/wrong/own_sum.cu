// expect: wrong_value own_total - the threads never put their sums together
#include <float.h>

extern "C" __global__ void __launch_bounds__(256) softmax(const float *in, float *out, int rows, int columns)
{
    const float *x = in + (size_t)blockIdx.x * columns;
    float *y = out + (size_t)blockIdx.x * columns;
    int t = threadIdx.x;
    float m = -FLT_MAX;
    for (int c = t; c < columns; c += 256)
        m = fmaxf(m, x[c]);
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
    float s = 0;
    for (int c = t; c < columns; c += 256)
        s += expf(x[c] - m);
    for (int c = t; c < columns; c += 256)
        y[c] = expf(x[c] - m) / s;
}
