// cause: `4.0f / (1.0f + (float)(id ^ 2) / (float)(n ^ 2))`: ^ is exclusive or in C, not a power, so x*x is wrong for every element
// first: wrong_value other
// says: dest[0] should be 4 but is 0
// asks: What does the operator in this line mean in C?
extern "C" __global__ void mapper(float *dest, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < n)
        dest[id] = 4.0f / (1.0f + (float)(id ^ 2) / (float)(n ^ 2));
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    long long id = 2LL * i * (blockIdx.x * blockDim.x + threadIdx.x);
    if (id + i < n)
        dest[id] += dest[id + i];
}
