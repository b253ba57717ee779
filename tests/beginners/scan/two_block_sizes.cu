// cause: scan_blocks asks for blocks of 128 threads and add_block_sums (line 26) for 256, so they cover different numbers of elements per block and the file is refused (launch failed)
// first: launch items
// says: add_block_sums covers 256 elements per block, scan_blocks 128: the two must be equal
// asks: Which lines of your file say so?
#define BLOCK 128
#define BIG 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int s[BLOCK];
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    s[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int d = 1; d < BLOCK; d *= 2) {
        int l = t >= d ? s[t - d] : 0;
        __syncthreads();
        s[t] += l;
        __syncthreads();
    }
    if (i < n) out[i] = s[t];
    if (t == BLOCK - 1) block_sums[blockIdx.x] = s[t];
}

// no shared memory here, so the block can be larger
extern "C" __global__ void __launch_bounds__(BIG) add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * BIG + threadIdx.x;
    if (blockIdx.x > 0 && i < n)
        out[i] += block_sums[blockIdx.x - 1];
}
