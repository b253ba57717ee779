// cause: No barrier between the atomic additions and the store: thread 0 may store the total before the other warps have added theirs
// first: race_mixed
// says: no barrier between them
// asks: What must every thread of the block have finished before any of them goes on to line 63?
#define BLOCK 256
#define WARPS (BLOCK / 32)
#define ALL_LANES 0xffffffffu

// Helper functions, if you want any.
template <int D>
__device__ int add_lanes(int value)
{
    value += __shfl_down_sync(ALL_LANES, value, D);
    if constexpr (D > 1)
        return add_lanes<D / 2>(value);
    else
        return value;
}

// A tree in shared memory: in each step half as many threads add as in the one before.
extern "C" __global__ void __launch_bounds__(BLOCK) block_sum(const int *x, int *sums, int n)
{
    // Each thread fills a cell. What do the threads beyond n put into theirs?
    __shared__ int cells[BLOCK];
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    cells[t] = i < n ? x[i] : 0;
    __syncthreads();

    // The steps of the tree. What must have finished before the next step begins?
    // The cells are 8 rows of 32. Each lane of the first warp adds a column, then the lanes add.
    if (t < 32) {
        int sum = 0;
        for (int w = 0; w < WARPS; w++)
            sum += cells[w * 32 + t];
        sum = add_lanes<16>(sum);
        if (t == 0)
            sums[blockIdx.x] = sum;
    }

    // One thread stores the sum of the block.
}

// Shuffles: the lanes of a warp add without shared memory. Only the sums of the warps need it, and one barrier.
extern "C" __global__ void __launch_bounds__(BLOCK) dot(const int *x, const int *y, int *products, int n)
{
    // Each thread begins with its own product.
    __shared__ int total;
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    if (t == 0)
        total = 0;
    __syncthreads();
    int value = i < n ? x[i] * y[i] : 0;

    // Lane 0 of each warp gets the sum of the warp. Which cell does it go to, and who adds these cells?
    value = add_lanes<16>(value);
    if (t % 32 == 0)
        atomicAdd(&total, value);

    // One thread stores the sum of the block.
    if (t == 0)
        products[blockIdx.x] = total;
}
