// cause: extern __shared__ without a size takes its memory from the launch, and this launch provides none, so the array
// first: out_of_bounds no_bytes
// says: write counts[0], but counts has no element: the launch gave it no bytes
// asks: Who decides how many bytes counts has?
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
    extern __shared__ int counts[];
    counts[threadIdx.x] = 0;
    __syncthreads();
    for (int j = threadIdx.x; j < ITEMS; j += blockDim.x) {
        int i = blockIdx.x * ITEMS + j;
        if (i < n) {
            atomicAdd(&counts[data[i]], 1);
        }
    }
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
