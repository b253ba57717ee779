// cause: each element is counted directly in the global bins as well as in the shared ones that are added up later, so every count doubles
// first: wrong_value each
// says: Each element is counted 2 times.
// asks: By which ways does one element reach its bin, and how often?
#define BINS 256
#define ITEMS 4096

extern "C" __constant__ int histogram_items = ITEMS;

extern "C" __global__ void clear_bins(int *bins)
{
  bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
  __shared__ int counts[BINS];
  for (int j = threadIdx.x; j < BINS; j += blockDim.x) {
    counts[j] = 0;
  }
  __syncthreads();
  for (int j = threadIdx.x; j < ITEMS; j += blockDim.x) {
    int idx = blockIdx.x * ITEMS + j;
    if (idx < n) {
      atomicAdd(&counts[data[idx]], 1);
      atomicAdd(&bins[data[idx]], 1);
    }
  }
  __syncthreads();
  for (int j = threadIdx.x; j < BINS; j += blockDim.x) {
    atomicAdd(&bins[j], counts[j]);
  }
}
