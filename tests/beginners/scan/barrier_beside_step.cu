// cause: The barriers are inside if (t >= d), where not all threads of the block come (line 17).
// first: barrier_mismatch branch
// says: 1 thread waits at the barrier at line 20 (the first is (0,0,0)), 255 at the barrier at line 17 (the first is (1,0,0)).
// asks: Which threads does the if in the message let through to the barrier, and what do the others do meanwhile?
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int cells[BLOCK];
    const int t = threadIdx.x;
    const int i = blockIdx.x * BLOCK + t;
    cells[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int d = 1; d < BLOCK; d *= 2) {
        if (t >= d) {
            int left = cells[t - d];
            __syncthreads();
            cells[t] += left;
        }
        __syncthreads();
    }
    if (i < n)
        out[i] = cells[t];
    if (t == 0)
        block_sums[blockIdx.x] = cells[BLOCK - 1];
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n && blockIdx.x > 0)
        out[i] += block_sums[blockIdx.x - 1];
}
