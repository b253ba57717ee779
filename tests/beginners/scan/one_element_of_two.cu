// cause: a block of add_block_sums covers 512 elements with 256 threads, but each thread adds to one element only, so the second half of every block from block 1 on gets nothing
// first: wrong_value items
// says: the launch has 512 threads, a block of 256 for each 512 elements, as line 8 asks.
// asks: Which thread should take out[768]?
#define T 256
#define E 512
extern "C" __constant__ int scan_blocks_items = E;
extern "C" __constant__ int add_block_sums_items = E;

extern "C" __global__ void __launch_bounds__(T) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int s[E];
    int t = threadIdx.x;
    int base = blockIdx.x * E;
    for (int k = t; k < E; k += T)
        s[k] = base + k < n ? in[base + k] : 0;
    __syncthreads();
    for (int d = 1; d < E; d *= 2) {
        int lo = t >= d ? s[t - d] : 0;
        int hi = t + T >= d ? s[t + T - d] : 0;
        __syncthreads();
        s[t] += lo;
        s[t + T] += hi;
        __syncthreads();
    }
    for (int k = t; k < E; k += T)
        if (base + k < n)
            out[base + k] = s[k];
    if (t == 0)
        block_sums[blockIdx.x] = s[E - 1];
}

extern "C" __global__ void __launch_bounds__(T) add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * E + threadIdx.x;
    if (blockIdx.x > 0 && i < n)
        out[i] += block_sums[blockIdx.x - 1];
}
