// cause: a row is taken to be as long as the block
// first: out_of_bounds guard
// says: but in has 2 rows of 31 elements
// asks: Where does the row of this thread's block begin, how long is it, and which columns does the thread look at?
#include <float.h>

extern "C" __global__ void __launch_bounds__(256) softmax(const float *in, float *out, int rows, int columns)
{
    const float *x = in + (size_t)blockIdx.x * blockDim.x;
    float *y = out + (size_t)blockIdx.x * blockDim.x;
    int t = threadIdx.x;
    float m = -FLT_MAX, s = 0;
    for (int c = t; c < columns; c += 256) {
        float larger = fmaxf(m, x[c]);
        s = s * expf(m - larger) + expf(x[c] - larger);
        m = larger;
    }
    __shared__ float maxima[256], sums[256];
    maxima[t] = m;
    sums[t] = s;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (t < half) {
            float larger = fmaxf(maxima[t], maxima[t + half]);
            sums[t] = sums[t] * expf(maxima[t] - larger) + sums[t + half] * expf(maxima[t + half] - larger);
            maxima[t] = larger;
        }
        __syncthreads();
    }
    m = maxima[0];
    s = sums[0];
    for (int c = t; c < columns; c += 256)
        y[c] = expf(x[c] - m) / s;
}
