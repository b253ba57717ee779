// cause: the size of a shared array is blockDim.x
// first: compile size
// says: The size of an array must be known when the file is compiled
// asks:
#define BLOCK 256

extern "C" __global__ void scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int buffer[blockDim.x];
    int idx = threadIdx.x;
    int gidx = blockIdx.x * blockDim.x + idx;

    buffer[idx] = gidx < n ? in[gidx] : 0;
    __syncthreads();
    for (int d = 1; d < blockDim.x; d *= 2) {
        int tmp = buffer[idx];
        if (idx >= d) tmp += buffer[idx - d];
        __syncthreads();
        buffer[idx] = tmp;
        __syncthreads();
    }
    if (gidx < n) out[gidx] = buffer[idx];
    if (idx == blockDim.x - 1) block_sums[blockIdx.x] = buffer[idx];
}

extern "C" __global__ void add_block_sums(int *out, const int *block_sums, int n) {
  int pos = threadIdx.x + blockDim.x * blockIdx.x;
  int offset = blockIdx.x ? block_sums[blockIdx.x - 1] : 0;
  if (pos < n) out[pos] += offset;
}
