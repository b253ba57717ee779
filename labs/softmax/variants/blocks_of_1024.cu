/* softmax: larger blocks. */
#include <float.h>

extern "C" __global__ void __launch_bounds__(1024) softmax(const float *in, float *out, int rows, int columns)
{
    const float *x = in + (size_t)blockIdx.x * columns;
    float *y = out + (size_t)blockIdx.x * columns;
    int t = threadIdx.x;
    float m = -FLT_MAX, s = 0;
    for (int c = t; c < columns; c += 1024) {
        float larger = fmaxf(m, x[c]);
        s = s * expf(m - larger) + expf(x[c] - larger);
        m = larger;
    }
    __shared__ float maxima[1024], sums[1024];
    maxima[t] = m;
    sums[t] = s;
    __syncthreads();
    for (int half = 512; half > 0; half /= 2) {
        if (t < half) {
            float larger = fmaxf(maxima[t], maxima[t + half]);
            sums[t] = sums[t] * expf(maxima[t] - larger) + sums[t + half] * expf(maxima[t + half] - larger);
            maxima[t] = larger;
        }
        __syncthreads();
    }
    m = maxima[0];
    s = sums[0];
    for (int c = t; c < columns; c += 1024)
        y[c] = expf(x[c] - m) / s;
}
