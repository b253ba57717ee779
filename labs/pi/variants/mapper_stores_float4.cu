// expect: pass - four elements in a thread of mapper, stored at once; thread t of reducer takes pair t
#define PER_BLOCK 1024
extern "C" __constant__ int mapper_items = PER_BLOCK;

__device__ float height(int k, int n)
{
    float x = (float)k / (float)n;
    return 4.0f / (1.0f + x * x);
}

extern "C" __global__ void mapper(float *dest, int n)
{
    int first = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (first + 3 < n) {
        float4 h = make_float4(height(first, n), height(first + 1, n), height(first + 2, n), height(first + 3, n));
        *reinterpret_cast<float4 *>(dest + first) = h;
    } else {
        for (int k = first; k < n; k++)
            dest[k] = height(k, n);
    }
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    long long left = 2LL * i * (blockIdx.x * blockDim.x + threadIdx.x);
    if (left + i < n)
        dest[left] += dest[left + i];
}
