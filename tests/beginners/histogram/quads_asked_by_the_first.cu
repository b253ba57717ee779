// cause: four elements are read as soon as the first of them exists
// first: out_of_bounds wide
// says: read of 16 bytes from data[0] on: they reach data[1], but data has 1 element
// asks: How many bytes does this line access at once, and which elements of data are that?
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

    int start = blockIdx.x * ITEMS;
    for (int i = start + 4 * threadIdx.x; i < start + ITEMS; i += 4 * blockDim.x) {
        if (i < n) {
            int4 v = *(const int4 *)(data + i);
            atomicAdd(&counts[v.x], 1);
            if (i + 1 < n) atomicAdd(&counts[v.y], 1);
            if (i + 2 < n) atomicAdd(&counts[v.z], 1);
            if (i + 3 < n) atomicAdd(&counts[v.w], 1);
        }
    }
    __syncthreads();

    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
