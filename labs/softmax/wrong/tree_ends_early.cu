// expect: wrong_value factor - the last step of the tree is missing: half of the threads' sums are lost
#include <float.h>

extern "C" __global__ void __launch_bounds__(256) softmax(const float *in, float *out, int rows, int columns)
{
    const float *x = in + (size_t)blockIdx.x * columns;
    float *y = out + (size_t)blockIdx.x * columns;
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
    for (int half = 128; half > 1; half /= 2) {
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
