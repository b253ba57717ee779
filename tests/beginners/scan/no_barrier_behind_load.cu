// cause: No barrier after the cells are filled, so the first step reads cells of other threads that may not be filled yet (line 12).
// first: race_shared
// says: shared array cells[31] written by thread (31,0,0) (line 12) and read by thread (32,0,0) (line 16); no barrier between them.
// asks: What must every thread of the block have finished before any of them goes on to line 16?
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int cells[BLOCK];
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    cells[t] = i < n ? in[i] : 0;
    for (int d = 1; d < BLOCK; d *= 2) {
        int left = 0;
        if (t >= d)
            left = cells[t - d];
        __syncthreads();
        cells[t] += left;
        __syncthreads();
    }
    if (i < n)
        out[i] = cells[t];
    if (t == BLOCK - 1)
        block_sums[blockIdx.x] = cells[t];
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n && blockIdx.x > 0)
        out[i] += block_sums[blockIdx.x - 1];
}
