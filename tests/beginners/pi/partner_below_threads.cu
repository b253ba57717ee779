// cause: `if (id + i < size)` with `size = gridDim.x * blockDim.x` asks for the number of threads instead of n: the grid is rounded up, so elements behind the end of dest are read and changed
// first: out_of_bounds guarded
// says: read dest[2], but dest has 2 elements (0..1)
// asks: Which elements of dest exist, and which indices does your condition let through?
extern "C" __global__ void mapper(float *dest, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < n) {
        float x = (float)id / n;
        dest[id] = 4.0f / (1.0f + x * x);
    }
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    const long long size = gridDim.x * blockDim.x;
    const long long id = 2LL * i * (blockIdx.x * blockDim.x + threadIdx.x);
    if (id + i < size) {
        dest[id] += dest[id + i];
    }
}
