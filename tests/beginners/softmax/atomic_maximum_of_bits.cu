// cause: compares floats as integers, which turns the order of negative ones round
// first: wrong_value overflow
// says: With the maximum of the row subtracted first, the largest exponent is 0.
// asks: Which number does this kernel subtract before it takes a power of e, and where does it come from? What is the largest exponent then?
extern "C" __global__ void __launch_bounds__(256) softmax(const float *in, float *out, int rows, int columns)
{
    __shared__ int largest;
    const float *x = in + (size_t)blockIdx.x * columns;
    float *y = out + (size_t)blockIdx.x * columns;
    int t = threadIdx.x;
    if (t == 0)
        largest = 0x80000000;
    __syncthreads();
    for (int c = t; c < columns; c += 256)
        atomicMax(&largest, __float_as_int(x[c]));
    __syncthreads();
    float m = __int_as_float(largest);
    __shared__ float cells[256];
    float s = 0;
    for (int c = t; c < columns; c += 256)
        s += expf(x[c] - m);
    cells[t] = s;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (t < half)
            cells[t] += cells[t + half];
        __syncthreads();
    }
    s = cells[0];
    for (int c = t; c < columns; c += 256)
        y[c] = expf(x[c] - m) / s;
}
