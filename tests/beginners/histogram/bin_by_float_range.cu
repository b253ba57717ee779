// cause: Line 26: the value is scaled by 256 / 255 to find its bin, so 255 goes to bin 256, which does not exist (out of bounds).
// first: out_of_bounds shared
// says: atomic on counts[256], but counts has 256 elements (0..255)
// asks: How many elements does counts have, and from which parts is this index made?
#define BINS 256
#define ITEMS 4096
#define MAX_VALUE 255.0f

extern "C" __constant__ int histogram_items = ITEMS;

extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

// like numpy.histogram(data, bins=256, range=(0, 255))
extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int counts[BINS];
    counts[threadIdx.x] = 0;
    __syncthreads();

    int start = blockIdx.x * ITEMS;
    int stop = min(start + ITEMS, n);
    for (int i = start + threadIdx.x; i < stop; i += blockDim.x) {
        int bin = (int)(data[i] / MAX_VALUE * BINS);
        atomicAdd(&counts[bin], 1);
    }
    __syncthreads();

    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
