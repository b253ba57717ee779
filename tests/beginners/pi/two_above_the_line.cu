// cause: 2 in place of 4
// first: wrong_value factor
// says: Every element is 0.5 times its right value.
// asks: Which number in your formula differs from the contract's?
extern "C" __global__ void mapper(float *dest, int n)
{
    int pos = blockIdx.x * blockDim.x + threadIdx.x;
    if (pos >= n) return;
    float x = 1.0f * pos / n;
    dest[pos] = 2.0f / (1.0f + x * x);
}
extern "C" __global__ void reducer(float *dest, int i, int n)
{
    long long k = threadIdx.x + blockDim.x * blockIdx.x;
    if (k % (2 * i) == 0 && k + i < n)
        dest[k] = dest[k] + dest[k + i];
}
