// cause: each of the 256 threads counts 8 elements, 2048 together, but a block is responsible for 4096
// first: wrong_value not_counted
// says: data[2048..4095] are not counted; every other element is counted once.
// asks: Which thread should count data[2048]?
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
#define PER_THREAD 8

extern "C" __global__ void clear_bins(int *bins)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < BINS) {
        bins[j] = 0;
    }
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int counts[BINS];
    for (int j = threadIdx.x; j < BINS; j += blockDim.x) {
        counts[j] = 0;
    }
    __syncthreads();
    for (int turn = 0; turn < PER_THREAD; turn++) {
        int idx = blockIdx.x * ITEMS + turn * 256 + threadIdx.x;
        if (idx < n) {
            atomicAdd(&counts[data[idx]], 1);
        }
    }
    __syncthreads();
    for (int j = threadIdx.x; j < BINS; j += blockDim.x) {
        atomicAdd(&bins[j], counts[j]);
    }
}
