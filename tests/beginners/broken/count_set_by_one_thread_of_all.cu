// cause: Only the thread with i == 0, in block 0, sets the count of its block to 0; every other block has a count of its own that nobody sets
// first: uninitialized atomic_shared
// says: no thread of block (1,0,0) came there before.
// asks: What is in count before the first thread counts?
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) tripled(const int *in, int *out, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i >= n)
        return;
    out[i] = 3 * in[i];
}

extern "C" __global__ void __launch_bounds__(BLOCK) mirrored(const int *in, int *out, int n)
{
    __shared__ int cells[BLOCK];
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    cells[t] = i < n ? in[i] : 0;
    __syncthreads();
    int sum = cells[t] + cells[BLOCK - 1 - t];
    if (i < n)
        out[i] = sum;
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
    if (i == 0)
        count = 0;
    __syncthreads();
    if (i < n && in[i] > 0)
        atomicAdd(&count, 1);
    __syncthreads();
    if (t == 0)
        counts[blockIdx.x] = count;
}
