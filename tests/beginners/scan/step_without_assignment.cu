// cause: d << 1 computes a value and throws it away, so d stays 1
// first: fuel no_effect
// says: `d << 1` changes no variable, so d stays as it is
// asks: Which variable does this loop count with, and where does its value change?
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int sdata[BLOCK];
    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * blockDim.x + tid;

    sdata[tid] = (i < n) ? in[i] : 0;
    __syncthreads();

    for (unsigned int d = 1; d < BLOCK; d << 1) {
        int x = (tid >= d) ? sdata[tid - d] : 0;
        __syncthreads();
        sdata[tid] += x;
        __syncthreads();
    }

    if (i < n) out[i] = sdata[tid];
    if (tid == BLOCK - 1) block_sums[blockIdx.x] = sdata[tid];
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
