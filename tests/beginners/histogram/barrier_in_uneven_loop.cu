// cause: a barrier in a loop that threads run differently often
// first: barrier_mismatch loop
// says: Line 38 is in the loop of line 36: each turn needs every thread.
// asks: How many turns of the loop does the first thread in the message make, and how many the others?
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
  bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
  __shared__ int my_counts[BINS];
  for (int j = threadIdx.x; j < BINS; j += blockDim.x) {
    my_counts[j] = 0;
  }
  __syncthreads();
  int begin = blockIdx.x * ITEMS;
  int end = begin + ITEMS < n ? begin + ITEMS : n;
  for (int i = begin + threadIdx.x; i < end; i += blockDim.x) {
    atomicAdd(&my_counts[data[i]], 1);
    __syncthreads();
  }
  __syncthreads();
  for (int j = threadIdx.x; j < BINS; j += blockDim.x) {
    atomicAdd(&bins[j], my_counts[j]);
  }
}
