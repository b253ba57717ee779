// cause: threads that reach the end of data return out of the loop, so they miss the barrier and never add up their bins
// first: wrong_value none
// says: All counts are 0, though there are elements.
// asks: Where does the way from data to bins end?
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
  for (int j = threadIdx.x; j < BINS; j += blockDim.x) {
    hist[j] = 0;
  }
  __syncthreads();
  for (int j = threadIdx.x; j < ITEMS; j += blockDim.x) {
    int idx = blockIdx.x * ITEMS + j;
    if (idx >= n) return; // no more data
    atomicAdd(&hist[data[idx]], 1);
  }
  __syncthreads();
  for (int j = threadIdx.x; j < BINS; j += blockDim.x) {
    atomicAdd(&bins[j], hist[j]);
  }
}
