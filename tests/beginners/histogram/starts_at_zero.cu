// cause: the index does not contain blockIdx.x, so all blocks count the same first 4096 elements
// first: wrong_value counted_again
// says: data[0..4095] are counted 2 times each;
// asks: Which thread should count data[0], and which should not?
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
    __shared__ int local_bins[BINS];
    for (int k = threadIdx.x; k < BINS; k += blockDim.x) {
        local_bins[k] = 0;
    }
    __syncthreads();
    for (int k = 0; k < 16; k++) {
        int i = k * blockDim.x + threadIdx.x;
        if (i < n) {
            atomicAdd(&local_bins[data[i]], 1);
        }
    }
    __syncthreads();
    for (int k = threadIdx.x; k < BINS; k += blockDim.x) {
        atomicAdd(&bins[k], local_bins[k]);
    }
}
