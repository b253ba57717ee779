// cause: n * n is a product of ints and overflows
// first: wrong_value overflow
// says: Every element has the value of 4 / (1 + (id*id) / (n*n)) with n*n computed as an int: 65537*65537 = 4295098369 does not fit in 32 bits and becomes 131073.
// asks: How large is the largest int?
extern "C" __global__ void mapper(float *dest, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < n)
        dest[id] = 4.0f / (1.0f + (float)id * id / (n * n));
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    long long id = 2LL * i * (blockIdx.x * blockDim.x + threadIdx.x);
    if (id + i < n)
        dest[id] += dest[id + i];
}
