// cause: count++ reads, adds and stores in several steps, and many threads do it at once, so counts are lost
// first: race_warp update
// says: so a change can be lost
// asks: Two threads change the same element of count. Are both meant to, or should each have an element of its own?
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) tripled(const int *in, int *out, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    for (; i < n; i += gridDim.x * BLOCK)
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
    __shared__ int cells[BLOCK + 1];        // cells[0] stands before the first one
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    const bool has_one = i < n;
    if (t == 0)
        cells[0] = 0;
    if (has_one)
        cells[t + 1] = in[i];
    __syncthreads();
    if (has_one)
        out[i] = cells[t + 1] - cells[t];
}

extern "C" __global__ void __launch_bounds__(BLOCK) positives(const int *in, int *counts, int n)
{
    __shared__ int count;
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    if (t == BLOCK - 1)
        count = 0;
    __syncthreads();
    if (i < n && in[i] > 0)
        count++;
    __syncthreads();
    if (t == 0)
        counts[blockIdx.x] = count;
}
