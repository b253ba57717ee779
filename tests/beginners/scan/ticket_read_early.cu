// cause: the block's number is read without a barrier after thread 0 has drawn it
// first: race_shared
// says: no barrier between them
// asks: What must every thread of the block have finished before any of them goes on to line 36?
#define BLOCK 256

__device__ int block_scan(int v, int *cells)
{
  int t = threadIdx.x;
  cells[t] = v;
  __syncthreads();
  for (int dist = 1; dist < BLOCK; dist *= 2) {
    int left = t >= dist ? cells[t - dist] : 0;
    __syncthreads();
    cells[t] += left;
    __syncthreads();
  }
  return cells[t];
}

extern "C" __global__ void scan_clear(unsigned *scratch, int count)
{
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    scratch[i] = 0u;
}

extern "C" __global__ void __launch_bounds__(BLOCK) scan(const int *in, int *out, unsigned *scratch, int n)
{
  __shared__ int cells[BLOCK];
  __shared__ int my_block;
  __shared__ unsigned before;

  if (threadIdx.x == 0) {
    my_block = atomicAdd(&scratch[0], 1u);
  }
  int i = my_block * BLOCK + threadIdx.x;
  int x = 0;
  if (i < n) {
    x = in[i];
  }
  int sum = block_scan(x, cells);

  if (threadIdx.x == BLOCK - 1) {
    unsigned *slot = &scratch[4 + 4 * my_block];
    unsigned p = 0;
    if (my_block > 0) {
      while (atomicAdd(slot - 3, 0u) == 0u) {
      }
      __threadfence();
      p = atomicAdd(slot - 4, 0u);
    }
    atomicExch(slot, p + (unsigned)sum);
    __threadfence();
    atomicExch(slot + 1, 1u);
    before = p;
  }
  __syncthreads();
  if (i < n) {
    out[i] = (int)(before + (unsigned)sum);
  }
}
