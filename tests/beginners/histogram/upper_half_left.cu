// cause: line 25: values from 128 on are not counted; line 31 adds all bins
// first: wrong_value value
// says: no bin counts them
// asks: On which line does the way of the value
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
    counts[threadIdx.x] = 0;
    __syncthreads();

    for (int k = threadIdx.x; k < ITEMS; k += blockDim.x) {
        int pos = blockIdx.x * ITEMS + k;
        if (pos < n) {
            int value = data[pos];
            if (value < 128)
                atomicAdd(&counts[value], 1);
        }
    }
    __syncthreads();

    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
