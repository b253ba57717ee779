// cause: threads below d do not copy their cell into the other buffer
// first: uninitialized shared
// says: out[2] is computed from b[0], which was never written: it is read at line 19 and goes into the result at line 23
// asks: Which cells of b did no thread of the block fill?
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int a[BLOCK];
    __shared__ int b[BLOCK];
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    int *from = a;
    int *to = b;

    from[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int d = 1; d < BLOCK; d *= 2) {
        if (t >= d) to[t] = from[t] + from[t - d];
        __syncthreads();
        int *h = from; from = to; to = h;
    }
    if (i < n) out[i] = from[t];
    if (t == BLOCK - 1) block_sums[blockIdx.x] = from[t];
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
