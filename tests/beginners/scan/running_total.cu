// cause: the order in which threads come to atomicAdd goes into out
// first: order_dependent
// says: A GPU guarantees no order
// asks: What may run in any order
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int running;
    int i = blockIdx.x * BLOCK + threadIdx.x;

    if (threadIdx.x == 0) running = 0;
    __syncthreads();

    // atomicAdd returns the total so far
    if (i < n) {
        out[i] = atomicAdd(&running, in[i]) + in[i];
    }
    __syncthreads();
    if (threadIdx.x == 0) block_sums[blockIdx.x] = running;
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (blockIdx.x > 0 && i < n) out[i] += block_sums[blockIdx.x - 1];
}
