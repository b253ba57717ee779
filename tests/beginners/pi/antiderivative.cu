// cause: the mapper stores the integral up to x
// first: wrong_value formula
// says: Every element has the value of 4 * atan(x), which is an integral of 4 / (1 + x*x).
// asks: Compare the formula in the message with the one of the contract. Which sign, bracket or factor differs?
extern "C" __global__ void mapper(float *dest, int n)
{
    int pos = blockIdx.x * blockDim.x + threadIdx.x;
    if (pos >= n) return;
    float x = (float)pos / n;
    dest[pos] = 4.0f * atanf(x);
}
extern "C" __global__ void reducer(float *dest, int i, int n)
{
    long long k = threadIdx.x + blockDim.x * blockIdx.x;
    if (k % (2 * i) == 0 && k + i < n)
        dest[k] = dest[k] + dest[k + i];
}
