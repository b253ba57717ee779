// cause: atomicAdd on block_sums, which nobody sets to 0 first
// first: uninitialized atomic
// says: an atomic changes block_sums[0], which has no initial value: it was never set to zero
// asks: Which line sets block_sums to its first value?
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int s[BLOCK];
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    int own = i < n ? in[i] : 0;

    s[t] = own;
    atomicAdd(&block_sums[blockIdx.x], own);
    __syncthreads();

    for (int d = 1; d < BLOCK; d *= 2) {
        int left = t < d ? 0 : s[t - d];
        __syncthreads();
        s[t] = s[t] + left;
        __syncthreads();
    }
    if (i < n)
        out[i] = s[t];
}

extern "C" __global__ void add_block_sums(int *out, const int *block_sums, int n) {
  int pos = threadIdx.x + blockDim.x * blockIdx.x;
  int offset = blockIdx.x ? block_sums[blockIdx.x - 1] : 0;
  if (pos < n) out[pos] += offset;
}
