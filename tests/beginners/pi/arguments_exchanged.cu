// cause: `dest[id] = height(n, id);` exchanges the arguments of height(int id, int n): x is n / id, infinite for id = 0, so all values are wrong
// first: wrong_value formula
// says: Every element has the value of 4 / (1 + x*x) with x = n / id.
// asks: Which argument goes to which parameter?
__device__ float height(int id, int n)
{
    float x = (float)id / (float)n;
    return 4.0f / (1.0f + x * x);
}

extern "C" __global__ void mapper(float *dest, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < n)
        dest[id] = height(n, id);
}

__device__ void add_pair(float *pair, int distance)
{
    pair[0] += pair[distance];
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    long long id = 2LL * i * (blockIdx.x * blockDim.x + threadIdx.x);
    if (id + i < n)
        add_pair(dest + id, i);
}
