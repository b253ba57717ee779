// cause: mapper takes x from dest, which holds nothing yet
// first: uninitialized output
// says: dest[0] is computed from dest[0], which was never written
// asks: What is in this element of dest before the line runs for the first time?
__device__ float f(float x)
{
    return 4.0f / (1.0f + x * x);
}

extern "C" __global__ void mapper(float *dest, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < n)
        dest[id] = f(dest[id]);
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id % (2 * i) == 0 && id + i < n)
        dest[id] += dest[id + i];
}
