// cause: the count is read and replaced in two atomic steps
// first: wrong_value atomic_steps
// says: With values that all differ, every element of data is counted once; of elements with the same value, counts get lost.
// asks: What becomes of an update when the bin has one already, and what when another thread or block changes it?
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
  for (int k = threadIdx.x; k < BINS; k += blockDim.x) {
    my_counts[k] = 0;
  }
  __syncthreads();
  for (int k = threadIdx.x; k < ITEMS; k += blockDim.x) {
    int i = blockIdx.x * ITEMS + k;
    if (i < n) {
      int old = atomicAdd(&my_counts[data[i]], 0);
      atomicExch(&my_counts[data[i]], old + 1);
    }
  }
  __syncthreads();
  for (int k = threadIdx.x; k < BINS; k += blockDim.x) {
    atomicAdd(&bins[k], my_counts[k]);
  }
}
