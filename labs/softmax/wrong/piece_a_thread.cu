// expect: budget global_sectors - right, but each thread walks over its own piece of neighbouring numbers
#include <float.h>

extern "C" __global__ void __launch_bounds__(256) softmax(const float *in, float *out, int rows, int columns)
{
    const float *x = in + (size_t)blockIdx.x * columns;
    float *y = out + (size_t)blockIdx.x * columns;
    int t = threadIdx.x;
    int piece = (columns + 255) / 256, end = min((t + 1) * piece, columns);
    float m = -FLT_MAX, s = 0;
    for (int c = t * piece; c < end; c++) {
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
    for (int c = t * piece; c < end; c++)
        y[c] = expf(x[c] - m) / s;
}
