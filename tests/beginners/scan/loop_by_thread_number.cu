// cause: `for (int d = 1; d <= t; d *= 2)` lets threads with a small number leave the loop earlier, so the threads of a block meet different numbers of barriers
// first: barrier_divergent loop
// says: 255 threads wait at the barrier at line 18 (the first is (1,0,0)), 1 went around it and on to line 24 (one of them is (0,0,0)).
// asks: How many turns of the loop does the first thread in the message make, and how many the others?
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ unsigned cells[BLOCK];
    const int t = threadIdx.x;
    const int i = blockIdx.x * BLOCK + t;
    cells[t] = 0;
    if (i < n)
        cells[t] = in[i];
    __syncthreads();
    for (int d = 1; d <= t; d *= 2) {
        const unsigned left = cells[t - d];
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
    if (blockIdx.x == 0) return;
    const int id = blockIdx.x * BLOCK + threadIdx.x;
    if (id >= n) return;
    out[id] += (unsigned)block_sums[blockIdx.x - 1];
}
