// cause: mapper: n*n + id*id is computed in int and overflows for large n, from some 33000 on (line 12)
// first: wrong_value overflow
// says: does not fit in 32 bits and becomes 131073
// asks: How large is the largest int?
// multiply numerator and denominator with n*n: saves a division
extern "C" __global__ void mapper(float *dest, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= n)
        return;
    float top = 4.0f * n * n;
    float bottom = n * n + id * id;
    dest[id] = top / bottom;
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id + i < n && id % (2 * i) == 0)
        dest[id] = dest[id] + dest[id + i];
}
