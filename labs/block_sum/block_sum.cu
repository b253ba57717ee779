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
// --- end ---

// A tree in shared memory: in each step half as many threads add as in the one before.
extern "C" __global__ void __launch_bounds__(BLOCK) block_sum(const int *x, int *sums, int n)
{
    // Each thread fills a cell. What do the threads beyond n put into theirs?
    // --- your code ---
    // --- end ---

    // The steps of the tree. What must have finished before the next step begins?
    // --- your code ---
    // --- end ---

    // One thread stores the sum of the block.
    // --- your code ---
    // --- end ---
}

// Shuffles: the lanes of a warp add without shared memory. Only the sums of the warps need it, and one barrier.
extern "C" __global__ void __launch_bounds__(BLOCK) dot(const int *x, const int *y, int *products, int n)
{
    // Each thread begins with its own product.
    // --- your code ---
    // --- end ---

    // Lane 0 of each warp gets the sum of the warp. Which cell does it go to, and who adds these cells?
    // --- your code ---
    // --- end ---

    // One thread stores the sum of the block.
    // --- your code ---
    // --- end ---
}
