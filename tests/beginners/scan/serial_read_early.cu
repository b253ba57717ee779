// cause: the cells that thread 0 has added up are read without a barrier
// first: race_warp
// says: they are in one warp, and still nothing makes one wait for the other
// asks: What must every thread of the block have finished before any of them goes on to line 21?
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int temp[BLOCK];
    int tid = threadIdx.x;
    int idx = blockIdx.x * BLOCK + tid;
    temp[tid] = idx < n ? in[idx] : 0;
    __syncthreads();
    if (tid == 0) {
        for (int k = 1; k < BLOCK; k++) {
            temp[k] += temp[k - 1];
        }
        block_sums[blockIdx.x] = temp[BLOCK - 1];
    }
    if (idx < n) {
        out[idx] = temp[tid];
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x > 0 && idx < n) {
        out[idx] += block_sums[blockIdx.x - 1];
    }
}
