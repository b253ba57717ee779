/* softmax: a row that fits is kept in shared memory and read once; a longer one is read three times. */
#include <float.h>

extern "C" __global__ void __launch_bounds__(256) softmax(const float *in, float *out, int rows, int columns)
{
    __shared__ float row[4096];
    __shared__ float cells[256];
    const float *x = in + (size_t)blockIdx.x * columns;
    float *y = out + (size_t)blockIdx.x * columns;
    int t = threadIdx.x;
    bool fits = columns <= 4096;
    float m = -FLT_MAX;
    for (int c = t; c < columns; c += 256) {
        float number = x[c];
        if (fits)
            row[c] = number;
        m = fmaxf(m, number);
    }
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
        s += expf((fits ? row[c] : x[c]) - m);
    cells[t] = s;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (t < half)
            cells[t] += cells[t + half];
        __syncthreads();
    }
    s = cells[0];
    for (int c = t; c < columns; c += 256)
        y[c] = expf((fits ? row[c] : x[c]) - m) / s;
}
