// cause: writes the results with the sum as it is so far
// first: wrong_value own_total
// says: as if each number were the only one of its row
// asks: What does a thread know when it has finished its loop, and what does it need for its results?
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
    for (int c = t; c < columns; c += 256) {
        s += expf(x[c] - m);
        y[c] = expf(x[c] - m) / s;
    }
}
