// cause: `for (int half = WARPS / 2; half > 1; half /= 2)`: the tree stops one step early, so the row counts[1] (what the odd warps counted) is never added to counts[0].
// first: wrong_value lost_later
// says: Line 29 is executed 33 times, as often as there are elements.
// asks: What becomes of what it counts for data[32]?
/* Lab 06: bins per warp, added up in a tree */
#define BINS 256
#define ITEMS 4096
#define WARPS 8

extern "C" __constant__ int histogram_items = ITEMS;

extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int counts[WARPS][BINS];
    int warp = threadIdx.x / 32;

    for (int w = 0; w < WARPS; w++)
        counts[w][threadIdx.x] = 0;
    __syncthreads();

    for (int k = threadIdx.x; k < ITEMS; k += blockDim.x) {
        int i = blockIdx.x * ITEMS + k;
        if (i < n)
            atomicAdd(&counts[warp][data[i]], 1);
    }
    __syncthreads();

    for (int half = WARPS / 2; half > 1; half /= 2) {
        for (int w = 0; w < half; w++)
            counts[w][threadIdx.x] += counts[w + half][threadIdx.x];
        __syncthreads();
    }

    atomicAdd(&bins[threadIdx.x], counts[0][threadIdx.x]);
}
