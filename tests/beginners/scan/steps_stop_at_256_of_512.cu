// cause: the block has 512 threads, but the steps stop at d = 128
// first: wrong_value steps
// says: Every element is the sum of 256 elements at most: this is what the step with distance 128 leaves.
// asks: Is the step with distance 256 made, and is what it leaves what is stored?
#define THREADS 512

extern "C" __global__ void __launch_bounds__(THREADS) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int cells[THREADS];
    int t = threadIdx.x;
    int i = blockIdx.x * THREADS + t;
    cells[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int d = 1; d < 256; d *= 2) {
        int left = t >= d ? cells[t - d] : 0;
        __syncthreads();
        cells[t] += left;
        __syncthreads();
    }
    if (i < n) out[i] = cells[t];
    if (t == THREADS - 1) block_sums[blockIdx.x] = cells[t];
}

extern "C" __global__ void __launch_bounds__(THREADS) add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * THREADS + threadIdx.x;
    if (i < n && blockIdx.x > 0) out[i] += block_sums[blockIdx.x - 1];
}
