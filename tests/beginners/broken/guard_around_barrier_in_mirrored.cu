// cause: mirrored: a guard around everything, the barrier included
// first: early_exit passed_by
// says: Line 21 is inside the `if` of line 19
// asks: Some threads reach the end of the kernel, but never this barrier. What is around the barrier, or before it, that keeps them away?
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) tripled(const int *in, int *out, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n)
        out[i] = 3 * in[i];
}

extern "C" __global__ void __launch_bounds__(BLOCK) mirrored(const int *in, int *out, int n)
{
    __shared__ int cells[BLOCK];
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    if (i < n) {
    cells[t] = i < n ? in[i] : 0;
    __syncthreads();
    int sum = cells[t] + cells[BLOCK - 1 - t];
    if (i < n)
        out[i] = sum;
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK) differences(const int *in, int *out, int n)
{
    __shared__ int cells[BLOCK];
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    if (i < n) {
        cells[t] = in[i];
    }
    __syncthreads();
    if (i < n) {
        int before = t > 0 ? cells[t - 1] : 0;
        out[i] = cells[t] - before;
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK) positives(const int *in, int *counts, int n)
{
    __shared__ int count;
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    if (t == 0)
        count = 0;
    __syncthreads();
    if (i < n && in[i] > 0)
        atomicAdd(&count, 1);
    __syncthreads();
    if (t == 0)
        counts[blockIdx.x] = count;
}
