// cause: x is made of threadIdx alone
// first: wrong_value no_block
// says: Every element has the value of the one at the same place in block 0.
// asks: What in x differs from block to block?
extern "C" __global__ void mapper(float *dest, int n)
{
    int pos = blockIdx.x * blockDim.x + threadIdx.x;
    float x = (float)threadIdx.x / n;
    if (pos < n)
        dest[pos] = 4.0f / (1 + x * x);
}
extern "C" __global__ void reducer(float *dest, int i, int n)
{
    long long k = threadIdx.x + blockDim.x * blockIdx.x;
    if (k % (2 * i) == 0 && k + i < n)
        dest[k] = dest[k] + dest[k + i];
}
