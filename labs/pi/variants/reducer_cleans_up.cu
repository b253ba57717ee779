// expect: pass - what has been added is set to 0, which the contract leaves open
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
    long long id = 2LL * i * (blockIdx.x * blockDim.x + threadIdx.x);
    if (id + i < n) {
        dest[id] += dest[id + i];
        dest[id + i] = 0.0f;
    }
}
