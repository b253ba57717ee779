// cause: = for == in a condition of a built-in variable
// first: compile equals
// says: = stores a value, and in this condition there is no place where it could go. A comparison for equality is writ
// asks:
#define BLOCK 256

__device__ int block_scan(int v, int *cells)
{
    int t = threadIdx.x;
    cells[t] = v;
    __syncthreads();
    for (int offset = 1; offset < BLOCK; offset *= 2) {
        int left = t >= offset ? cells[t - offset] : 0;
        __syncthreads();
        cells[t] += left;
        __syncthreads();
    }
    return cells[t];
}

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int cells[BLOCK];
    int i = blockIdx.x * BLOCK + threadIdx.x;
    int sum = block_scan(i < n ? in[i] : 0, cells);
    if (i < n) out[i] = sum;
    if (threadIdx.x == BLOCK - 1) block_sums[blockIdx.x] = sum;
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    if (blockIdx.x = 0) {
        return;
    }
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n) {
        out[i] += block_sums[blockIdx.x - 1];
    }
}
