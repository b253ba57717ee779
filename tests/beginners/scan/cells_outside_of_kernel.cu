// cause: the array is a __device__ variable, which exists once for all blocks and not once per block, so the blocks overwrite each other's cells, a race
// first: race_global two_stores
// says: temp[0] written by thread (0,0,0) of block (0,0,0) (line 22) and written by thread (0,0,0) of block (1,0,0) (line 14)
// asks: Should both threads use this element, or each one of its own?
#define BLOCK 256

__device__ int temp[BLOCK];

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;

    temp[t] = i < n ? in[i] : 0;
    __syncthreads();

    for (int d = 1; d < BLOCK; d *= 2) {
        int left = 0;
        if (t >= d)
            left = temp[t - d];
        __syncthreads();
        temp[t] += left;
        __syncthreads();
    }

    if (i < n)
        out[i] = temp[t];
    if (t == BLOCK - 1)
        block_sums[blockIdx.x] = temp[BLOCK - 1];
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x > 0 && i < n)
        out[i] += block_sums[blockIdx.x - 1];
}
