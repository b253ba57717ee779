// cause: Does not compile: __shfl_down without _sync and mask no longer exists for this device
// first: compile replaced
// says: __shfl_down no longer exists: __shfl_down_sync has taken its place, with a mask of the lanes before the other arguments.
// asks:
#define BLOCK 128
#define WARPS (BLOCK / 32)
#define ALL_LANES 0xffffffffu

// Helper functions, if you want any.
__device__ int warp_total(int value)
{
    for (int d = 16; d > 0; d /= 2)
        value += __shfl_down(value, d);
    return value;
}

// A tree in shared memory: in each step half as many threads add as in the one before.
extern "C" __global__ void __launch_bounds__(BLOCK) block_sum(const int *x, int *sums, int n)
{
    // Each thread fills a cell. What do the threads beyond n put into theirs?
    __shared__ int cells[BLOCK];
    const int t = threadIdx.x;
    const int i = blockIdx.x * BLOCK + t;
    cells[t] = i < n ? x[i] : 0;

    // The steps of the tree. What must have finished before the next step begins?
    for (int active = BLOCK / 2; active >= 1; active /= 2) {
        __syncthreads();
        if (t < active)
            cells[t] = cells[t] + cells[t + active];
    }

    // One thread stores the sum of the block.
    // (thread 0 has made the last addition itself)
    if (t == 0)
        sums[blockIdx.x] = cells[0];
}

// Shuffles: the lanes of a warp add without shared memory. Only the sums of the warps need it, and one barrier.
extern "C" __global__ void __launch_bounds__(BLOCK) dot(const int *x, const int *y, int *products, int n)
{
    // Each thread begins with its own product.
    __shared__ int partial[WARPS];
    const int t = threadIdx.x;
    const int i = blockIdx.x * BLOCK + t;
    int product = 0;
    if (i < n)
        product = x[i] * y[i];

    // Lane 0 of each warp gets the sum of the warp. Which cell does it go to, and who adds these cells?
    product = warp_total(product);
    if ((t & 31) == 0)
        partial[t >> 5] = product;
    __syncthreads();

    // One thread stores the sum of the block.
    if (t == 0) {
        int total = 0;
        for (int w = 0; w < WARPS; w++)
            total += partial[w];
        products[blockIdx.x] = total;
    }
}
