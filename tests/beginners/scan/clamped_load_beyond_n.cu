// cause: threads beyond n load the last element instead of 0
// first: wrong_value multiple
// says: block_sums[0] should be 8 but is 256. block_sums[0] is stored in scan_blocks at line 30, by thread (255,0,0) of block (0,0,0). Besides what belongs there, block_sums[0] contains 248 x in[7].
// asks: Where is it counted again: in another line, in another turn of a loop, or in another thread?
#define BLOCK 256

__device__ int load(const int *in, int k, int n)
{
    return in[min(k, n - 1)];      // never out of bounds
}

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int part[BLOCK];
    int t = threadIdx.x;
    int k = blockIdx.x * BLOCK + t;
    part[t] = load(in, k, n);
    __syncthreads();
    for (int d = 1; d < BLOCK; d *= 2) {
        int sum = part[t];
        if (t >= d)
            sum += part[t - d];
        __syncthreads();
        part[t] = sum;
        __syncthreads();
    }
    if (k < n)
        out[k] = part[t];
    if (t == BLOCK - 1)
        block_sums[blockIdx.x] = part[t];
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
