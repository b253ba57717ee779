// cause: a shared array cannot have first values in its declaration
// first: compile shared_init
// says: Shared memory cannot be initialised where it is declared: let the threads store its values, then wait at a bar
// asks:
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
    for (int b = threadIdx.x; b < BINS; b += blockDim.x)
        bins[b] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int my_counts[BINS] = {0};
    __syncthreads();
    for (int k = threadIdx.x; k < ITEMS; k += blockDim.x) {
        int idx = blockIdx.x * ITEMS + k;
        if (idx < n) {
            atomicAdd(&my_counts[data[idx]], 1);
        }
    }
    __syncthreads();
    for (int k = threadIdx.x; k < BINS; k += blockDim.x) {
        atomicAdd(&bins[k], my_counts[k]);
    }
}
