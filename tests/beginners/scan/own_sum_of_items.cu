// cause: `const unsigned before = sums[t];` is the inclusive scan of the threads' sums, so each thread's own four elements are added twice
// first: wrong_value foreign
// says: Besides what belongs there, out[0] contains in[0..3].
// asks: Which line adds what does not belong there?
#define THREADS 256
#define ITEMS 1024
extern "C" __constant__ int scan_blocks_items = ITEMS;
extern "C" __constant__ int add_block_sums_items = ITEMS;

extern "C" __global__ void __launch_bounds__(THREADS) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ unsigned sums[THREADS];
    const int t = threadIdx.x;
    const int first = blockIdx.x * ITEMS + t * 4;
    unsigned v[4];
    unsigned run = 0;
    for (int k = 0; k < 4; k++) {
        if (first + k < n) run += in[first + k];
        v[k] = run;
    }
    sums[t] = run;
    __syncthreads();
    for (int d = 1; d < THREADS; d *= 2) {
        unsigned left = t >= d ? sums[t - d] : 0;
        __syncthreads();
        sums[t] += left;
        __syncthreads();
    }
    const unsigned before = sums[t];
    for (int k = 0; k < 4; k++)
        if (first + k < n) out[first + k] = v[k] + before;
    if (t == THREADS - 1) block_sums[blockIdx.x] = sums[t];
}

extern "C" __global__ void __launch_bounds__(THREADS) add_block_sums(int *out, const int *block_sums, int n)
{
    if (blockIdx.x == 0)
        return;
    const unsigned before = block_sums[blockIdx.x - 1];
    for (int k = 0; k < ITEMS / THREADS; k++) {
        const int i = blockIdx.x * ITEMS + k * THREADS + threadIdx.x;
        if (i < n)
            out[i] = out[i] + before;
    }
}
