// expect: pass - the first step reads both elements of a pair at once; blocks of 1024
extern "C" __global__ void __launch_bounds__(1024) mapper(float *dest, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < n) {
        float x = (float)id / n;
        dest[id] = 4.0f / (1.0f + x * x);
    }
}

extern "C" __global__ void __launch_bounds__(1024) reducer(float *dest, int i, int n)
{
    long long id = 2LL * i * (blockIdx.x * blockDim.x + threadIdx.x);
    if (id + i >= n) {
        return;
    }
    if (i == 1) {
        float2 pair = *(float2 *)&dest[id];
        dest[id] = pair.x + pair.y;
    } else {
        dest[id] += dest[id + i];
    }
}
