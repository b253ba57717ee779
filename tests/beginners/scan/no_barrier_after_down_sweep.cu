// cause: there is no barrier between the last step of the down-sweep (store in line 30) and the reading of the cells in line 34, which other threads stored, a race
// first: race_warp
// says: shared array tree[2] written by thread (0,0,0) (line 30) and read by thread (2,0,0) (line 34)
// asks: What must every thread of the block have finished before any of them goes on to line 34?
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int tree[BLOCK];
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    tree[t] = i < n ? in[i] : 0;
    __syncthreads();

    // up
    for (int w = 1; w < BLOCK; w *= 2) {
        int k = 2 * w * (t + 1) - 1;
        if (k < BLOCK)
            tree[k] += tree[k - w];
        __syncthreads();
    }
    if (t == 0)
        block_sums[blockIdx.x] = tree[BLOCK - 1];

    // down
    for (int w = BLOCK / 4; w >= 1; w /= 2) {
        __syncthreads();
        int k = 2 * w * (t + 1) - 1;
        if (k + w < BLOCK)
            tree[k + w] += tree[k];
    }

    if (i < n)
        out[i] = tree[t];
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x > 0 && i < n)
        out[i] += block_sums[blockIdx.x - 1];
}
