// cause: __syncwarp waits for one warp, but cells are read across warps
// first: race_shared step
// says: line 17 has a `__syncwarp()`, which waits for one warp, and these two threads are in two
// asks: In one step, which thread writes the cell that this thread reads?
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
  __shared__ int sh[BLOCK];
  const unsigned t = threadIdx.x;
  const int idx = blockIdx.x * BLOCK + t;
  sh[t] = idx < n ? in[idx] : 0;
  __syncthreads();
  for (unsigned d = 1; d < BLOCK; d *= 2) {
    int left = 0;
    if (t >= d) left = sh[t - d];
    __syncwarp();
    sh[t] += left;
    __syncthreads();
  }
  if (idx < n) out[idx] = sh[t];
  if (t == BLOCK - 1) block_sums[blockIdx.x] = sh[t];
}

// every block but the first one needs the total of all blocks before it
extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
  const int pos = blockIdx.x * BLOCK + threadIdx.x;
  int offset = 0;
  if (blockIdx.x != 0)
    offset = block_sums[blockIdx.x - 1];
  if (pos < n)
    out[pos] += offset;
}
