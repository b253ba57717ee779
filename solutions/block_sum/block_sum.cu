/* The sum of each block's elements, and the dot product of each block's piece of two vectors.
 *
 * Contract   block_sum(x, sums, n)         leaves in sums[blockIdx.x] the sum of the block's elements of x.
 *            dot(x, y, products, n)        leaves in products[blockIdx.x] the sum of x[i] * y[i] over the block's elements.
 *            x and y are arrays of n integers on the device and stay as they are. sums and products have an element for each
 *            block and hold rubbish before the launch.
 * Launch     each kernel once, with blocks of 256 threads and as many blocks as it takes to have at least n threads.
 * Run        build/lockstep grade block_sum
 * Read       handouts/block_sum.md
 *
 * Add your lines between the marks. Everything else can stay as it is.
 */

#define BLOCK 256
#define WARPS (BLOCK / 32)
#define ALL_LANES 0xffffffffu

// Helper functions, if you want any.
// --- your code ---
// The sum over the lanes of a warp, in lane 0. The other lanes get partial sums.
__device__ int warp_sum(int value)
{
    for (int distance = 16; distance > 0; distance /= 2) {
        value += __shfl_down_sync(ALL_LANES, value, distance);
    }
    return value;
}
// --- end ---

// A tree in shared memory: in each step half as many threads add as in the one before.
extern "C" __global__ void __launch_bounds__(BLOCK) block_sum(const int *x, int *sums, int n)
{
    // Each thread fills a cell. What do the threads beyond n put into theirs?
    // --- your code ---
    __shared__ int cells[BLOCK];
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    cells[t] = i < n ? x[i] : 0;
    __syncthreads();
    // --- end ---

    // The steps of the tree. What must have finished before the next step begins?
    // --- your code ---
    for (int half = BLOCK / 2; half > 0; half /= 2) {
        if (t < half) {
            cells[t] += cells[t + half];
        }
        __syncthreads();
    }
    // --- end ---

    // One thread stores the sum of the block.
    // --- your code ---
    if (t == 0) {
        sums[blockIdx.x] = cells[0];
    }
    // --- end ---
}

// Shuffles: the lanes of a warp add without shared memory. Only the sums of the warps need it, and one barrier.
extern "C" __global__ void __launch_bounds__(BLOCK) dot(const int *x, const int *y, int *products, int n)
{
    // Each thread begins with its own product.
    // --- your code ---
    __shared__ int warp_sums[WARPS];
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    int sum = i < n ? x[i] * y[i] : 0;
    // --- end ---

    // Lane 0 of each warp gets the sum of the warp. Which cell does it go to, and who adds these cells?
    // --- your code ---
    sum = warp_sum(sum);
    if (t % 32 == 0) {
        warp_sums[t / 32] = sum;
    }
    __syncthreads();
    if (t < 32) {
        sum = warp_sum(t < WARPS ? warp_sums[t] : 0);
    }
    // --- end ---

    // One thread stores the sum of the block.
    // --- your code ---
    if (t == 0) {
        products[blockIdx.x] = sum;
    }
    // --- end ---
}
