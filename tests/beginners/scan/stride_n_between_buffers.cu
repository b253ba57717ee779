// cause: the stride between the two buffers is n, not the block size
// first: out_of_bounds shared
// says: write temp[512], but temp has 512 elements (0..511)
// asks: How many elements does temp have, and from which parts is this index made?
// naive scan from GPU Gems 3, example 39-1, made inclusive
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int temp[2 * BLOCK];
    int thid = threadIdx.x;
    int gid = blockIdx.x * BLOCK + thid;
    int pout = 0, pin = 1;

    temp[pout * n + thid] = (gid < n) ? in[gid] : 0;
    __syncthreads();
    for (int offset = 1; offset < BLOCK; offset *= 2) {
        pout = 1 - pout;      // swap double buffer indices
        pin = 1 - pout;
        if (thid >= offset)
            temp[pout * n + thid] = temp[pin * n + thid] + temp[pin * n + thid - offset];
        else
            temp[pout * n + thid] = temp[pin * n + thid];
        __syncthreads();
    }
    if (gid < n) out[gid] = temp[pout * n + thid];
    if (thid == BLOCK - 1) block_sums[blockIdx.x] = temp[pout * n + thid];
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    // block_sums is scanned by now: block_sums[k] is the sum of blocks 0..k. Block 0 is right already.
    // --- your code ---
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && blockIdx.x > 0)
        out[i] += block_sums[blockIdx.x - 1];
    // --- end ---
}
