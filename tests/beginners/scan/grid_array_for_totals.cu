// cause: totals is a __device__ array with a cell for each warp of one block: all blocks use the same cells
// first: race_global no_block
// says: blockIdx is not in the index, so every block uses the same elements.
// asks: Thread 0 of block 0 and thread 0 of block 1: which elements of totals do they use?
__device__ int totals[8];

extern "C" __global__ void scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    int x = i < n ? in[i] : 0;
    for (int d = 1; d < 32; d *= 2) {
        int left = __shfl_up_sync(0xffffffff, x, d);
        if (t % 32 >= d)
            x += left;
    }
    if (t % 32 == 31)
        totals[t / 32] = x;
    __syncthreads();
    for (int w = 0; w < t / 32; w++)
        x += totals[w];
    if (i < n)
        out[i] = x;
    if (t == 255)
        block_sums[blockIdx.x] = x;
}

extern "C" __global__ void add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && blockIdx.x > 0)
        out[i] += block_sums[blockIdx.x - 1];
}
