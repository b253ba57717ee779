// expect: at most 80 - rewritten without shared memory and without any barrier
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) tripled(const int *in, int *out, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n)
        out[i] = 3 * in[i];
}

extern "C" __global__ void __launch_bounds__(BLOCK) mirrored(const int *in, int *out, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x, mirror = blockIdx.x * BLOCK + BLOCK - 1 - threadIdx.x;
    if (i < n)
        out[i] = in[i] + (mirror < n ? in[mirror] : 0);
}

extern "C" __global__ void __launch_bounds__(BLOCK) differences(const int *in, int *out, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n)
        out[i] = in[i] - (threadIdx.x > 0 ? in[i - 1] : 0);
}

extern "C" __global__ void __launch_bounds__(BLOCK) positives(const int *in, int *counts, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    int count = __syncthreads_count(i < n && in[i] > 0);
    if (threadIdx.x == 0)
        counts[blockIdx.x] = count;
}
