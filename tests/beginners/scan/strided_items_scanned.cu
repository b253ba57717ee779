// cause: `const int i = blockIdx.x * ITEMS + k * THREADS + t;` gives thread t elements that lie 256 apart, but the scan adds them up as if they were neighbours: with more than 256 elements in a block nearly all sums are wrong
// first: wrong_value foreign
// says: Besides what belongs there, out[1] contains in[256].
// asks: Which line adds what does not belong there?
#define THREADS 256
#define PER_THREAD 4
#define ITEMS (THREADS * PER_THREAD)
extern "C" __constant__ int scan_blocks_items = ITEMS;
extern "C" __constant__ int add_block_sums_items = ITEMS;

extern "C" __global__ void __launch_bounds__(THREADS) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ unsigned sums[THREADS];
    const int t = threadIdx.x;
    unsigned v[PER_THREAD];
    unsigned own = 0;

    for (int k = 0; k < PER_THREAD; k++) {
        const int i = blockIdx.x * ITEMS + k * THREADS + t;
        own += i < n ? in[i] : 0;
        v[k] = own;
    }
    sums[t] = own;
    __syncthreads();
    for (int d = 1; d < THREADS; d *= 2) {
        const unsigned left = t >= d ? sums[t - d] : 0;
        __syncthreads();
        sums[t] += left;
        __syncthreads();
    }
    const unsigned before = sums[t] - own;
    for (int k = 0; k < PER_THREAD; k++) {
        const int id = blockIdx.x * ITEMS + k * THREADS + t;
        if (id < n)
            out[id] = before + v[k];
    }
    if (t == THREADS - 1)
        block_sums[blockIdx.x] = sums[t];
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
