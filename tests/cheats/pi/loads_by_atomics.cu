// expect: at most 84 - the reducer with id % (2*i) == 0; it reads with atomic operations, which are requests too

extern "C" __global__ void mapper(float *dest, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < n) {
        float x = (float)id / (float)n;
        dest[id] = 4.0f / (1.0f + x * x);
    }
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    long long id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id % (2LL * i) == 0 && id + i < n) {
        atomicAdd(&dest[id], atomicAdd(&dest[id + i], 0.0f));
    }
}
