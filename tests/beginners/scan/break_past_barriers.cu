// cause: threads that are ready leave the loop, and miss its barriers
// first: barrier_divergent jump
// says: The `break` in line 16 leaves the loop, and with it the barriers of all further turns.
// asks: Which threads take the jump that the message names, and which barriers do they miss by it?
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int shared[BLOCK];
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    shared[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int dist = 1; dist < BLOCK; dist *= 2) {
        // nobody so far left, ready
        if (t < dist) break;
        int x = shared[t - dist];
        __syncthreads();
        shared[t] += x;
        __syncthreads();
    }
    if (i < n) out[i] = shared[t];
    if (t == BLOCK - 1) block_sums[blockIdx.x] = shared[t];
}

extern "C" __global__ void add_block_sums(int *out, const int *block_sums, int n)
{
  if (blockIdx.x == 0) return;
  int before = block_sums[blockIdx.x - 1];
  int idx = threadIdx.x + BLOCK * blockIdx.x;
  if (idx >= n) return;
  out[idx] = out[idx] + before;
}
