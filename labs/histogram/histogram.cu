/* Histogram with 256 bins: how often does each value occur?
 *
 * Contract   clear_bins(bins)           sets the 256 bins to zero. Before, they hold rubbish.
 *            histogram(data, bins, n)   adds to bins[v] how often v occurs in data[0] ... data[n-1]. 0 <= data[i] < 256.
 * Launch     clear_bins with one block of 256 threads, then histogram with n / histogram_items (rounded up) blocks
 *            of 256 threads. Here block b counts the elements from ITEMS * b on; the last block may have fewer.
 * Run        build/lockstep grade histogram
 * Read       handouts/histogram.md
 *
 * Add your lines between the marks. Everything else can stay as it is.
 */

#define BINS 256
#define ITEMS 4096

// Tells the launch how many elements each block counts. Change ITEMS and the grid follows.
extern "C" __constant__ int histogram_items = ITEMS;

extern "C" __global__ void clear_bins(int *bins)
{
    // One block of 256 threads, 256 bins.
    // --- your code ---
    // --- end ---
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    // Declare the block's own bins: __shared__ int counts[BINS]. What do they hold when the block starts?
    // --- your code ---
    // --- end ---

    // Count the block's ITEMS elements, from data[blockIdx.x * ITEMS] on. Neighbouring threads take neighbouring elements.
    // --- your code ---
    // --- end ---

    // Add the block's bins to the bins of the whole grid.
    // --- your code ---
    // --- end ---
}
