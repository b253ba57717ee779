// expect: signature - the reducer has no parameter i
extern "C" __global__ void mapper(float *dest, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < n) {
        float x = (float)id / n;
        dest[id] = 4.0f / (1.0f + x * x);
    }
}

extern "C" __global__ void reducer(float *dest, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id % 2 == 0 && id + 1 < n) {
        dest[id] += dest[id + 1];
    }
}
