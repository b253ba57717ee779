// cause: lane 0 stores its own sum as the total of the warp, but after an inclusive scan lane 31 has the total
// first: wrong_value missing
// says: in[1..31] are missing in out[32], which has only in[0] and in[32].
// asks: Which thread should add them, and at which line?
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int wsum[8];
    unsigned tid = threadIdx.x;
    unsigned gid = blockIdx.x * BLOCK + tid;
    unsigned l = tid % 32, w = tid / 32;
    int v = gid < n ? in[gid] : 0;

    #pragma unroll
    for (unsigned d = 1; d <= 16; d <<= 1) {
        int u = __shfl_up_sync(~0u, v, d);
        if (l >= d) v += u;
    }
    if (l == 0) wsum[w] = v;
    __syncthreads();
    if (tid == 0) {
        for (int k = 1; k < 8; k++)
            wsum[k] += wsum[k - 1];
    }
    __syncthreads();
    if (w > 0) v += wsum[w - 1];
    if (gid < n) out[gid] = v;
    if (tid == BLOCK - 1) block_sums[blockIdx.x] = v;
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x > 0 && i < n)
        out[i] += block_sums[blockIdx.x - 1];
}
