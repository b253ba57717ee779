/* Keep the positive elements of an array, in their order, one right after the other.
 *
 * Contract   count_kept(in, counts, n)             counts[blockIdx.x] = how many elements of the block's piece are positive.
 *            scan_counts(counts, starts, blocks)   starts[b] = counts[0] + ... + counts[b-1], for b = 0 ... blocks: where
 *                block b's elements begin in out. starts has blocks + 1 elements; the last one is how many are kept in all.
 *            compact(in, starts, out, n)           stores the positive elements of the block's piece, in their order,
 *                from out[starts[blockIdx.x]] on.
 *            The arrays do not overlap. out has room for exactly the elements that are kept. counts, starts and out hold
 *            rubbish before they are written.
 * Launch     count_kept, then scan_counts with a single block, then compact with as many blocks as count_kept. Blocks of
 *            256 threads, one element per thread (in scan_counts as many turns as it takes).
 * Run        build/lockstep grade compaction
 * Read       handouts/compaction.md
 *
 * Add your lines between the marks. Everything else can stay as it is.
 */

#define BLOCK 256

// The condition: which elements are kept?
__device__ bool keep(int value)
{
    return value > 0;
}

// Helper functions, if you want any. The scan of a block's values is needed in two kernels.
// --- your code ---
// --- end ---

extern "C" __global__ void __launch_bounds__(BLOCK) count_kept(const int *in, int *counts, int n)
{
    // How many elements of the block's piece are kept? One thread stores the number.
    // --- your code ---
    // --- end ---
}

extern "C" __global__ void __launch_bounds__(BLOCK) scan_counts(const int *counts, int *starts, int blocks)
{
    // There is one block, and there may be more counts than it has threads. Let it scan 256 of them in each turn. What must
    // a turn know of those before it?
    // --- your code ---
    // --- end ---
}

extern "C" __global__ void __launch_bounds__(BLOCK) compact(const int *in, const int *starts, int *out, int n)
{
    // Scan 1 for each element that is kept and 0 for each other one. What does a thread's sum say about its element's place?
    // --- your code ---
    // --- end ---

    // Store the element, if it is one that is kept.
    // --- your code ---
    // --- end ---
}
