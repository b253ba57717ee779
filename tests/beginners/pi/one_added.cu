// cause: 1 is added to the quotient
// first: wrong_value added
// says: Every element is too high by 1.
// asks: What is added to 4 / (1 + x*x)?
extern "C" __global__ void mapper(float *dest, int n)
{
    int pos = blockIdx.x * blockDim.x + threadIdx.x;
    if (pos < n) {
        float x = (float)pos / n;
        dest[pos] = 4.0f / (1.0f + x * x) + 1.0f;
    }
}
extern "C" __global__ void reducer(float *dest, int i, int n)
{
    long long k = threadIdx.x + blockDim.x * blockIdx.x;
    if (k % (2 * i) == 0 && k + i < n)
        dest[k] = dest[k] + dest[k + i];
}
