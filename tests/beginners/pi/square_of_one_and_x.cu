// cause: the mapper squares 1 + x instead of x: 4 / ((1 + x) * (1 + x))
// first: wrong_value formula
// says: Every element has the value of 4 / ((1 + x) * (1 + x)).
// asks: Which sign, bracket or factor differs?
extern "C" __global__ void mapper(float *dest, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= n)
        return;
    float y = 1.0f + id / (float)n;
    dest[id] = 4.0f / (y * y);
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    int id = 2 * i * (blockIdx.x * blockDim.x + threadIdx.x);
    long long wide = 2LL * i * (blockIdx.x * blockDim.x + threadIdx.x);
    if (wide + i < n)
        dest[id] += dest[id + i];
}
