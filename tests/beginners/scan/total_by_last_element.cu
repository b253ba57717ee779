// cause: only the thread of the last element stores a total
// first: never_written not_reached
// says: Line 31 stores into block_sums, but no thread of block (0,0,0) came to it. The last line that they ran is line
// asks: What sends the thread in the message past the store, and with which values?
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
  __shared__ int cells[BLOCK];
  int gid = blockIdx.x * blockDim.x + threadIdx.x;
  if (gid < n) {
    cells[threadIdx.x] = in[gid];
  } else {
    cells[threadIdx.x] = 0;
  }
  __syncthreads();
  for (int step = 1; step < BLOCK; step = step * 2) {
    int left = 0;
    if (threadIdx.x >= step) {
      left = cells[threadIdx.x - step];
    }
    __syncthreads();
    cells[threadIdx.x] += left;
    __syncthreads();
  }
  if (gid < n) {
    out[gid] = cells[threadIdx.x];
  }
  // the last thread knows the sum
  if (gid == n - 1) {
    block_sums[blockIdx.x] = cells[threadIdx.x];
  }
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
  int gid = blockIdx.x * blockDim.x + threadIdx.x;
  if (blockIdx.x > 0 && gid < n) {
    out[gid] += block_sums[blockIdx.x - 1];
  }
}
