// expect: pass - four elements in a thread of mapper, the rest one by one; pairs in a loop
#define PER_BLOCK 1024
extern "C" __constant__ int mapper_items = PER_BLOCK;
extern "C" __constant__ int reducer_items = PER_BLOCK;

__device__ inline float quarter_circle(int k, float n)
{
    float x = k / n;
    return 4.0f / (1.0f + x * x);
}

extern "C" __global__ void mapper(float *dest, int n)
{
    int k = 4 * (blockIdx.x * 256 + threadIdx.x);
    if (k + 4 <= n) {
        float4 v;
        v.x = quarter_circle(k, n);
        v.y = quarter_circle(k + 1, n);
        v.z = quarter_circle(k + 2, n);
        v.w = quarter_circle(k + 3, n);
        reinterpret_cast<float4 *>(dest)[k / 4] = v;
    } else {
        for (; k < n; ++k) dest[k] = quarter_circle(k, n);
    }
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    // two pairs for each thread
    for (int q = 0; q < 2; ++q) {
        long long p = blockIdx.x * 512 + q * 256 + threadIdx.x;
        long long a = p * i * 2;
        if (a + i < n) dest[a] += dest[a + i];
    }
}
