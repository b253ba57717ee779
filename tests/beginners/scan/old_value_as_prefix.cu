// cause: The old value that atomicAdd returns depends on the order in which the threads come, not on their index, so it is no prefix sum (line 16).
// first: order_dependent
// says: Line 16 stores what it makes of the old value of running, which atomicAdd returns. That depends on which threads came before.
// asks: What may run in any order, and what may not?
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int running;
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (threadIdx.x == 0)
        running = 0;
    __syncthreads();
    // atomicAdd returns what was there before = the sum of everything to my left
    if (i < n)
        out[i] = atomicAdd(&running, in[i]) + in[i];
    __syncthreads();
    if (threadIdx.x == 0)
        block_sums[blockIdx.x] = running;
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n && blockIdx.x > 0)
        out[i] += block_sums[blockIdx.x - 1];
}
