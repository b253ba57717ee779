// cause: the condition asks for the global index i and not for t, so in every block but block 0 threads with t < d read s[t - d] before the beginning of the shared array
// first: out_of_bounds negative
// says: read s[-1], but s has 256 elements (0..255)
// asks: Which part of its formula is negative in this thread?
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    // --- your code ---
    __shared__ int s[BLOCK];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    int left;

    if (i < n)
        s[t] = in[i];
    else
        s[t] = 0;
    __syncthreads();

    for (int d = 1; d < BLOCK; d = d * 2) {
        left = 0;
        if (i >= d)
            left = s[t - d];
        __syncthreads();
        s[t] = s[t] + left;
        __syncthreads();
    }
    // --- end ---

    // --- your code ---
    if (i < n)
        out[i] = s[t];
    if (t == BLOCK - 1)
        block_sums[blockIdx.x] = s[t];
    // --- end ---
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x > 0 && i < n)
        out[i] += block_sums[blockIdx.x - 1];
}
