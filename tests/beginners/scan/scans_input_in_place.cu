// cause: `int *piece = (int *)in + blockIdx.x * BLOCK;` casts the const away and scans in place, so `piece[t] += left;` changes the input
// first: read_only_write
// says: write in[1], but in is an input of this kernel
// asks: Which array should receive the result?
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    // in place, this needs no extra memory
    int *piece = (int *)in + blockIdx.x * BLOCK;
    int t = threadIdx.x;
    int length = n - blockIdx.x * BLOCK;
    if (length > BLOCK) length = BLOCK;

    for (int d = 1; d < BLOCK; d *= 2) {
        unsigned left = 0;
        if (t >= d && t < length) left = piece[t - d];
        __syncthreads();
        if (t >= d && t < length) piece[t] += left;
        __syncthreads();
    }
    if (t < length) out[blockIdx.x * BLOCK + t] = piece[t];
    if (t == length - 1) block_sums[blockIdx.x] = piece[t];
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n) {
    int gid = threadIdx.x + blockIdx.x * BLOCK;
    unsigned carry = blockIdx.x ? (unsigned)block_sums[blockIdx.x - 1] : 0u;
    if (gid < n) {
        out[gid] = (int)(out[gid] + carry);
    }
}
