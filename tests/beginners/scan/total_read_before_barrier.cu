// cause: no barrier between the last step and the reading of s[255]
// first: race_shared
// says: shared array s[255] read by thread (0,0,0) (line 28) and written by thread (255,0,0) (line 23); no barrier between them
// asks: What must every thread of the block have finished before any of them goes on to line 28?
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int s[BLOCK];
    const int tx = threadIdx.x;
    const int idx = blockIdx.x * blockDim.x + tx;

    s[tx] = 0;
    if (idx < n)
        s[tx] = in[idx];

    for (int stride = 1; stride < blockDim.x; stride *= 2) {
        __syncthreads();
        int val = 0;
        if (tx >= stride)
            val = s[tx - stride];
        __syncthreads();
        s[tx] += val;
    }
    if (idx < n)
        out[idx] = s[tx];
    if (tx == 0)
        block_sums[blockIdx.x] = s[BLOCK - 1];
}

extern "C" __global__ void add_block_sums(int *out, const int *block_sums, int n)
{
    int b = blockIdx.x;
    if (b == 0) return;
    int k = b * blockDim.x + threadIdx.x;
    if (k >= n) return;
    out[k] = out[k] + block_sums[b - 1];
}
