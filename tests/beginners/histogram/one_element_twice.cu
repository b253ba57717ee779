// cause: with k <= ITEMS, thread 0 of each block also counts the first element of the next block
// first: wrong_value counted_again
// says: data[4096] is counted 2 times; every other element is counted once.
// asks: Which thread should count data[4096], and which should not?
/* Lab 06: histogram with 256 bins: how often does each value occur?
 *
 * Contract   clear_bins(bins)           sets the 256 bins to zero. Before, they hold rubbish.
 *            histogram(data, bins, n)   adds to bins[v] how often v occurs in data[0] ... data[n-1]. 0 <= data[i] < 256.
 * Launch     clear_bins with one block of 256 threads, then histogram with blocks of 256 threads, each block responsible for
 *            histogram_items elements of data; the last block may have fewer.
 * Run        build/lockstep grade histogram
 * Read       handouts/histogram.md
 *
 * Add your lines between the marks. Everything else can stay as it is.
 */

#define BINS 256
#define ITEMS 4096

extern "C" __constant__ int histogram_items = ITEMS;

extern "C" __global__ void clear_bins(int *bins)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < BINS) {
        bins[k] = 0;
    }
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int counts[BINS];
    int k = threadIdx.x;
    counts[k] = 0;
    __syncthreads();
    while (k <= ITEMS) {
        int i = blockIdx.x * ITEMS + k;
        if (i < n) {
            atomicAdd(&counts[data[i]], 1);
        }
        k += blockDim.x;
    }
    __syncthreads();
    for (int k = threadIdx.x; k < BINS; k += blockDim.x) {
        atomicAdd(&bins[k], counts[k]);
    }
}
