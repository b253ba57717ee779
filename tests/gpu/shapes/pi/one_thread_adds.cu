// each step is a loop of one thread
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
    if (blockIdx.x == 0 && threadIdx.x == 0)
        for (long long id = 0; id + i < n; id += 2LL * i)
            dest[id] += dest[id + i];
}
