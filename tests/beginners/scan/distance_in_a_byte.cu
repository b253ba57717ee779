// cause: `for (unsigned char d = 1; d < BLOCK; d *= 2)`: after 128 d becomes 256, which an unsigned char stores as 0, so the loop never ends
// first: fuel narrow
// says: the loop at line 15 still runs after 10 million warp instructions: the type of d is unsigned char, which holds no number above 255, so the condition d < BLOCK is always true
// asks: What is the largest number that this variable can hold, and what is the one after it?
#define BLOCK 256
typedef unsigned char u8;   // thread numbers are 0 to 255

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ unsigned cells[BLOCK];
    const u8 t = threadIdx.x;
    const int i = blockIdx.x * BLOCK + t;
    cells[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (unsigned char d = 1; d < BLOCK; d *= 2) {
        const unsigned left = t >= d ? cells[t - d] : 0;
        __syncthreads();
        cells[t] += left;
        __syncthreads();
    }
    if (i < n) out[i] = cells[t];
    if (t == BLOCK - 1) block_sums[blockIdx.x] = cells[t];
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n) {
    int gid = threadIdx.x + blockIdx.x * BLOCK;
    unsigned carry = blockIdx.x ? (unsigned)block_sums[blockIdx.x - 1] : 0u;
    if (gid < n) {
        out[gid] = (int)(out[gid] + carry);
    }
}
