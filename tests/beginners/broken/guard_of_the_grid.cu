// cause: The first thread of a block is recognised by i > 0 instead of t > 0, so thread 0 of every block but the first reads cells[-1]
// first: out_of_bounds negative
// says: Line 37 asks i > 0: 256 > 0 is true.
// asks: The index is below 0. Which part of its formula is negative in this thread?
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
    // (I have rearranged this one)
    int mine = i < n ? in[i] : 0;
    cells[t] = mine;
    __syncthreads();
    if (i < n) {
        int before = 0;
        if (i > 0)
            before = cells[t - 1];
        out[i] = mine - before;
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK) positives(const int *in, int *counts, int n)
{
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    // a barrier that counts
    int count = __syncthreads_count(i < n && in[i] > 0);
    if (t == 0)
        counts[blockIdx.x] = count;
}
