// expect: budget issued_lane_slots - right, but thread 0 alone puts together what 256 threads have found
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
    if (t == 0) {
        for (int k = 1; k < 256; k++) {
            float larger = fmaxf(maxima[0], maxima[k]);
            sums[0] = sums[0] * expf(maxima[0] - larger) + sums[k] * expf(maxima[k] - larger);
            maxima[0] = larger;
        }
    }
    __syncthreads();
    m = maxima[0];
    s = sums[0];
    for (int c = t; c < columns; c += 256)
        y[c] = expf(x[c] - m) / s;
}
