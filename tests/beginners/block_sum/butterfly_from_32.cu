// cause: The butterfly begins at 32, but a warp has 32 lanes and no partner at that distance: each lane gets its own value and doubles it, in both stages, so dot is four times too large
// first: wrong_value multiple
// says: products[0] has each of its elements of x 4 times.
// asks: Line 25 first: From which lane does each lane get a value at this line, and does that lane exist?
#define BLOCK 256
#define WARPS (BLOCK / 32)
#define ALL_LANES 0xffffffffu

// Helper functions, if you want any.
__device__ void tree(int *cells, int t)
{
    int width = BLOCK / 2;
    while (width > 0) {
        if (t < width)
            cells[t] += cells[t + width];
        __syncthreads();
        width >>= 1;
    }
}

// afterwards every lane has the sum of all lanes
__device__ int butterfly(int value)
{
    for (int d = 32; d >= 1; d >>= 1)
        value += __shfl_xor_sync(ALL_LANES, value, d);
    return value;
}

// A tree in shared memory: in each step half as many threads add as in the one before.
extern "C" __global__ void __launch_bounds__(BLOCK) block_sum(const int *x, int *sums, int n)
{
    // Each thread fills a cell. What do the threads beyond n put into theirs?
    __shared__ int cells[BLOCK];
    int i = blockIdx.x * BLOCK + threadIdx.x;
    int mine = 0;
    if (i < n)
        mine = x[i];
    cells[threadIdx.x] = mine;
    __syncthreads();

    // The steps of the tree. What must have finished before the next step begins?
    tree(cells, threadIdx.x);

    // One thread stores the sum of the block.
    if (threadIdx.x == 0)
        sums[blockIdx.x] = cells[0];
}

// Shuffles: the lanes of a warp add without shared memory. Only the sums of the warps need it, and one barrier.
extern "C" __global__ void __launch_bounds__(BLOCK) dot(const int *x, const int *y, int *products, int n)
{
    // Each thread begins with its own product.
    __shared__ int warp_sums[WARPS];
    int i = blockIdx.x * BLOCK + threadIdx.x;
    int lane = threadIdx.x % 32;
    int warp = threadIdx.x / 32;
    int value = i < n ? x[i] * y[i] : 0;

    // Lane 0 of each warp gets the sum of the warp. Which cell does it go to, and who adds these cells?
    value = butterfly(value);
    if (lane == 0)
        warp_sums[warp] = value;
    __syncthreads();

    // One thread stores the sum of the block.
    if (warp == 0) {
        int total = butterfly(lane < WARPS ? warp_sums[lane] : 0);
        if (lane == 0)
            products[blockIdx.x] = total;
    }
}
