/* Sort 32-bit unsigned keys, a digit of 4 bits in each pass, the least significant digit first.
 *
 * Contract   digit d of a key in a pass is (key >> shift) & 15. Block b has a piece of the keys: 256 of them, as far as
 *            they exist. There are gridDim.x blocks.
 *            count_digits(keys, counts, n, shift)      counts[d * gridDim.x + b] = how many keys of block b's piece have
 *                the digit d.
 *            scan_digits(counts, starts, count)        starts[j] = counts[0] + ... + counts[j-1]. It is written already.
 *            scatter(keys, starts, out, n, shift)      stores the keys in the order of their digits. Keys with the same
 *                digit keep the order that they have in keys. starts[d * gridDim.x + b] is where the keys of block b's
 *                piece with the digit d begin in out.
 *            The arrays do not overlap. counts, starts and out hold rubbish before they are written.
 * Launch     for each digit of the keys: count_digits, then scan_digits with a single block, then scatter with as many
 *            blocks as count_digits. Blocks of 256 threads, one key per thread. out is the keys of the next pass.
 * Run        build/lockstep grade radix_sort
 * Read       handouts/radix_sort.md
 *
 * Add your lines between the marks. Everything else can stay as it is.
 */

#define BLOCK 256
#define WARPS (BLOCK / 32)
#define DIGITS 16

__device__ int digit_of(unsigned key, int shift)
{
    return (key >> shift) & (DIGITS - 1);
}

// Sum of `value` over the threads 0 ... threadIdx.x of the block; *total is the sum over all of them. All must call it.
__device__ unsigned block_scan(unsigned value, unsigned *total)
{
    __shared__ unsigned sums[BLOCK];
    int t = threadIdx.x;
    sums[t] = value;
    __syncthreads();
    for (int d = 1; d < BLOCK; d *= 2) {
        unsigned left = t >= d ? sums[t - d] : 0;
        __syncthreads();    // all have read
        sums[t] += left;
        __syncthreads();    // all have added
    }
    unsigned sum = sums[t];
    *total = sums[BLOCK - 1];
    __syncthreads();    // the next call may overwrite the sums
    return sum;
}

// Helper functions, if you want any.
// --- your code ---
// --- end ---

extern "C" __global__ void __launch_bounds__(BLOCK) count_digits(const unsigned *keys, unsigned *counts, int n, int shift)
{
    // How often does each digit occur in the block's piece? Count in shared memory, then store 16 counts.
    // --- your code ---
    // --- end ---
}

extern "C" __global__ void __launch_bounds__(BLOCK) scan_digits(const unsigned *counts, unsigned *starts, int count)
{
    unsigned before = 0;    // sum of the counts of all turns before
    for (int first = 0; first < count; first += BLOCK) {
        int j = first + threadIdx.x;
        unsigned own = j < count ? counts[j] : 0;
        unsigned total;
        unsigned sum = block_scan(own, &total);
        if (j < count) {
            starts[j] = before + sum - own;
        }
        before += total;
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK) scatter(const unsigned *keys, const unsigned *starts, unsigned *out,
                                                            int n, int shift)
{
    // How many keys of the piece come before the thread's own, once it is sorted by digit? Those with a smaller digit, and
    // those with the same digit that stand to its left.
    // --- your code ---
    // --- end ---

    // Put the key at its place in shared memory. When all have done so, neighbouring threads have keys that belong side by
    // side in out, but for a few jumps: store them from there.
    // --- your code ---
    // --- end ---
}
