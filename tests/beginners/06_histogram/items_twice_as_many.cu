// cause: Line 9: histogram_items is twice ITEMS, so the grid has only half of the blocks needed, while each block counts ITEMS elements (loop in line 26); the elements beyond are not counted.
// first: x
// says: x
// asks: x
#define BINS 256
#define ITEMS 2048

// every block does two rounds of 8 * 256 elements
extern "C" __constant__ int histogram_items = 2 * ITEMS;

extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int counts[BINS];
    int tid = threadIdx.x;
    counts[tid] = 0;
    __syncthreads();

    const int *mine = data + blockIdx.x * ITEMS;
    int left = n - blockIdx.x * ITEMS;

    for (int k = tid; k < ITEMS; k += 256) {
        if (k < left)
            atomicAdd(&counts[mine[k]], 1);
    }
    __syncthreads();

    atomicAdd(&bins[tid], counts[tid]);
}
