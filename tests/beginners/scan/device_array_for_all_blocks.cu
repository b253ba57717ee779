// cause: temp is a __device__ array: all blocks use the same 256 cells
// first: race_global two_stores
// says: temp[0] written by thread (0,0,0) of block (0,0,0) (line 19) and written by thread (0,0,0) of block (1,0,0) (line 14); nothing orders the two blocks.
// asks: Should both threads use this element, or each one of its own?
#define BLOCK 256

__device__ int temp[BLOCK];        // shared by all threads

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;

    temp[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int d = 1; d < BLOCK; d *= 2) {
        int left = t >= d ? temp[t - d] : 0;
        __syncthreads();
        temp[t] += left;
        __syncthreads();
    }
    if (i < n)
        out[i] = temp[t];
    if (t == 0)
        block_sums[blockIdx.x] = temp[BLOCK - 1];
}

extern "C" __global__ void add_block_sums(int *out, const int *block_sums, int n) {
  int pos = threadIdx.x + blockDim.x * blockIdx.x;
  int offset = blockIdx.x ? block_sums[blockIdx.x - 1] : 0;
  if (pos < n) out[pos] += offset;
}
