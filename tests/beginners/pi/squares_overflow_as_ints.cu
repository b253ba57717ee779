// cause: id * id and n * n are int products and overflow for n = 65537 and above, so the values are wrong there
// first: wrong_value overflow
// says: with both squares computed as an int: 65537*65537 = 4295098369 does not fit in 32 bits and becomes 131073.
// asks: How large is the largest int?
extern "C" __global__ void mapper(float *dest, int n)
{
    // --- your code ---
    int id = blockDim.x * blockIdx.x + threadIdx.x;
    if (id < n)
        // x*x = id*id / (n*n), saves a division
        dest[id] = 4.0f / (1.0f + (float)(id * id) / (float)(n * n));
    // --- end ---
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    // --- your code ---
    long long id = 2LL * i * (blockDim.x * blockIdx.x + threadIdx.x);
    if (id + i < n)
        dest[id] += dest[id + i];
    // --- end ---
}
