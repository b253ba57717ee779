// cause: With two buffers, cells below d are not copied to the other buffer, which keeps an old or no value there (line 17).
// first: uninitialized shared
// says: out[2] is computed from pong[0], which was never written: it is read at line 18 and goes into the result at line 25.
// asks: Which cells of pong did no thread of the block fill?
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int ping[BLOCK];
    __shared__ int pong[BLOCK];
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    int *src = ping, *dst = pong;
    src[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int d = 1; d < BLOCK; d *= 2) {
        if (t >= d)
            dst[t] = src[t] + src[t - d];
        __syncthreads();
        int *tmp = src;
        src = dst;
        dst = tmp;
    }
    if (i < n)
        out[i] = src[t];
    if (t == BLOCK - 1)
        block_sums[blockIdx.x] = src[t];
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n && blockIdx.x > 0)
        out[i] += block_sums[blockIdx.x - 1];
}
