// cause: each block adds to bins of its own at blockIdx.x * BINS, but there are only 256 bins for all blocks together
// first: out_of_bounds blocks
// says: atomic on bins[256], but bins has 256 elements (0..255)
// asks: How many elements does bins have, and does that number grow with the number of blocks?
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
		int i = blockIdx.x * ITEMS + k;
		if (i < n) {
			atomicAdd(&hist[data[i]], 1);
		}
	}
	__syncthreads();
	int b = blockIdx.x * BINS + threadIdx.x;
	atomicAdd(&bins[b], hist[threadIdx.x]);
}
