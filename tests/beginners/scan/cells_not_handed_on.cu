// cause: threads with t < d do not hand their cell on to the other buffer, so the next steps read cells of it that were never written
// first: uninitialized shared
// says: out[2] is computed from buf[1][0], which was never written
// asks: Which cells of buf did no thread of the block fill?
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int buf[2][BLOCK];
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    int cur = 0;

    buf[0][t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int d = 1; d < BLOCK; d *= 2) {
        if (t >= d)
            buf[1 - cur][t] = buf[cur][t] + buf[cur][t - d];
        cur = 1 - cur;
        __syncthreads();
    }

    if (i < n)
        out[i] = buf[cur][t];
    if (t == BLOCK - 1)
        block_sums[blockIdx.x] = buf[cur][t];
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x > 0 && i < n)
        out[i] += block_sums[blockIdx.x - 1];
}
