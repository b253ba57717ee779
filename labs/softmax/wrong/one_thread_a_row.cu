// expect: budget max_thread_share - right, but thread 0 works alone on its row
#include <float.h>

extern "C" __global__ void __launch_bounds__(256) softmax(const float *in, float *out, int rows, int columns)
{
    const float *x = in + (size_t)blockIdx.x * columns;
    float *y = out + (size_t)blockIdx.x * columns;
    int t = threadIdx.x;
    if (t > 0)
        return;
    float m = -FLT_MAX, s = 0;
    for (int c = 0; c < columns; c++) {
        float larger = fmaxf(m, x[c]);
        s = s * expf(m - larger) + expf(x[c] - larger);
        m = larger;
    }
    for (int c = 0; c < columns; c++)
        y[c] = expf(x[c] - m) / s;
}
