// cause: adds the powers up in an int
// first: wrong_value not_divided
// says: is missing, or divides by 1.
// asks: By which number is each result divided, how is it computed, and of which type is it?
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
    int s = 0;
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
