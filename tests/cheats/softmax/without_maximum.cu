// expect: at most 28 - the sum of e^x as it stands, in double, so that e^x overflows later; two passes, no maximum
extern "C" __global__ void __launch_bounds__(256) softmax(const float *in, float *out, int rows, int columns)
{
    const float *x = in + (size_t)blockIdx.x * columns;
    float *y = out + (size_t)blockIdx.x * columns;
    __shared__ double sums[256];
    int t = threadIdx.x;
    double s = 0;
    for (int c = t; c < columns; c += 256)
        s += exp((double)x[c]);
    sums[t] = s;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (t < half)
            sums[t] += sums[t + half];
        __syncthreads();
    }
    for (int c = t; c < columns; c += 256)
        y[c] = (float)(exp((double)x[c]) / sums[0]);
}
