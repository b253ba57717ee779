// cause: each warp adds up its lanes, and the sum of warp 0 is taken for that of the block
// first: wrong_value first_only
// says: the first 32 of each 256 columns
// asks: Whose numbers are in the sum, and whose are not?
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
    for (int c = t; c < columns; c += 256)
        s += expf(x[c] - m);
    for (int d = 16; d > 0; d /= 2)
        s += __shfl_xor_sync(0xffffffff, s, d);
    if (t == 0)
        cells[0] = s;
    __syncthreads();
    s = cells[0];
    for (int c = t; c < columns; c += 256)
        y[c] = expf(x[c] - m) / s;
}
