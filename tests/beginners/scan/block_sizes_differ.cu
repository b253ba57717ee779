// cause: scan_blocks runs with 512 threads, add_block_sums with 256
// first: launch items
// says: add_block_sums covers 256 elements per block, scan_blocks 512: the two must be equal
// asks: How many elements does a block of scan_blocks cover, and how many a block of add_block_sums?
#define SCAN_THREADS 512

extern "C" __global__ void __launch_bounds__(SCAN_THREADS) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int sh[SCAN_THREADS];
    int tid = threadIdx.x;
    int g = tid + blockIdx.x * SCAN_THREADS;
    sh[tid] = g < n ? in[g] : 0;
    __syncthreads();
    for (int d = 1; d < SCAN_THREADS; d *= 2) {
        int v = tid >= d ? sh[tid - d] : 0;
        __syncthreads();
        sh[tid] += v;
        __syncthreads();
    }
    if (g < n) out[g] = sh[tid];
    if (tid == SCAN_THREADS - 1) block_sums[blockIdx.x] = sh[tid];
}

extern "C" __global__ void __launch_bounds__(256) add_block_sums(int *out, const int *block_sums, int n)
{
    int g = threadIdx.x + blockIdx.x * blockDim.x;
    if (g < n && blockIdx.x > 0)
        out[g] += block_sums[blockIdx.x - 1];
}
