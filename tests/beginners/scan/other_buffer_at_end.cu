// cause: after eight steps the result is in the other buffer
// first: wrong_value steps
// says: Every element is the sum of 128 elements at most: this is what the step with distance 64 leaves.
// asks: Is the step with distance 128 made, and is what it leaves what is stored?
#define BLOCK 256

extern "C" __global__ void scan_blocks(const int *in, int *out, int *block_sums, int n) {
  __shared__ int buf[2][BLOCK];
  int tid = threadIdx.x;
  int pos = threadIdx.x + blockDim.x * blockIdx.x;
  int src = 0, dst = 1;

  buf[src][tid] = pos < n ? in[pos] : 0;
  __syncthreads();
  for (int step = 1; step < BLOCK; step *= 2) {
    if (tid >= step)
      buf[dst][tid] = buf[src][tid] + buf[src][tid - step];
    else
      buf[dst][tid] = buf[src][tid];
    __syncthreads();
    src = 1 - src;
    dst = 1 - dst;
  }
  int result = buf[dst][tid];
  if (pos < n) out[pos] = result;
  if (tid == BLOCK - 1) block_sums[blockIdx.x] = result;
}

extern "C" __global__ void add_block_sums(int *out, const int *block_sums, int n) {
  int pos = threadIdx.x + blockDim.x * blockIdx.x;
  int offset = blockIdx.x ? block_sums[blockIdx.x - 1] : 0;
  if (pos < n) out[pos] += offset;
}
