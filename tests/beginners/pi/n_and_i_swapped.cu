// cause: reducer(dest, n, i) instead of (dest, i, n)
// first: wrong_value missing
// says: Up to here, no thread of reducer stores to dest[0].
// asks: Which name belongs to which argument?
extern "C" __global__ void mapper(float *dest, int n)
{
    int k = blockDim.x * blockIdx.x + threadIdx.x;
    if (k < n) {
        float x = k / (float)n;
        dest[k] = 4.0f / (x * x + 1.0f);
    }
}

extern "C" __global__ void reducer(float *dest, int n, int i)
{
    int k = blockDim.x * blockIdx.x + threadIdx.x;
    if (k + i < n && k % (2 * i) == 0) {
        dest[k] += dest[k + i];
    }
}
