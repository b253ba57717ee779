// cause: n*n + id*id is computed in int
// first: wrong_value overflow
// says: Every element has the value of 4*n*n / (n*n + id*id) with the sum below the line computed as an int: 65537*65537 = 4295098369 does not fit in 32 bits and becomes 131073.
// asks: How large is the largest int?
extern "C" __global__ void mapper(float *dest, int n)
{
    int pos = blockIdx.x * blockDim.x + threadIdx.x;
    if (pos < n)
        dest[pos] = 4.0f * n * n / (n * n + pos * pos);
}
extern "C" __global__ void reducer(float *dest, int i, int n)
{
    long long k = threadIdx.x + blockDim.x * blockIdx.x;
    if (k % (2 * i) == 0 && k + i < n)
        dest[k] = dest[k] + dest[k + i];
}
