// expect: budget global_sectors - right, but a thread for each row: lanes read a row apart, one block does it all
#include <float.h>

extern "C" __global__ void __launch_bounds__(256) softmax(const float *in, float *out, int rows, int columns)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    const float *x = in + (size_t)row * columns;
    float *y = out + (size_t)row * columns;
    float m = -FLT_MAX, s = 0;
    for (int c = 0; c < columns; c++) {
        float larger = fmaxf(m, x[c]);
        s = s * expf(m - larger) + expf(x[c] - larger);
        m = larger;
    }
    for (int c = 0; c < columns; c++)
        y[c] = expf(x[c] - m) / s;
}
