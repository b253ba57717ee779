// cause: & evaluates both sides, so data[idx] is read even if idx is n or more
// first: out_of_bounds eager
// says: read data[1], but data has 1 element (0..0)
// asks: Say in words when this condition should be true. Does the line say the same?
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
  __shared__ int hist[BINS];
  for (int k = threadIdx.x; k < BINS; k += blockDim.x) {
    hist[k] = 0;
  }
  __syncthreads();
  for (int k = threadIdx.x; k < ITEMS; k += blockDim.x) {
    int idx = blockIdx.x * ITEMS + k;
    if (idx < n & data[idx] < BINS) {
      atomicAdd(&hist[data[idx]], 1);
    }
  }
  __syncthreads();
  for (int k = threadIdx.x; k < BINS; k += blockDim.x) {
    atomicAdd(&bins[k], hist[k]);
  }
}
