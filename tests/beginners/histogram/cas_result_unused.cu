// cause: a failed atomicCAS is not repeated
// first: wrong_value atomic_steps
// says: With values that all differ, every element of data is counted once; of elements with the same value, counts get lost.
// asks: What becomes of an update when the bin has one already, and what when another thread or block changes it?
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

__device__ void add_one(int *bin)
{
  int seen = *(volatile int *)bin;
  atomicCAS(bin, seen, seen + 1);
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
  __shared__ int counts[BINS];
  counts[threadIdx.x] = 0;
  __syncthreads();
  for (int k = threadIdx.x; k < ITEMS; k += 256) {
    int idx = blockIdx.x * ITEMS + k;
    if (idx < n) {
      add_one(&counts[data[idx]]);
    }
  }
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
