// cause: `if (i + 3 * THREADS < n)` guards all four elements of a step at once, so where only the first one, two or three of them exist, none is counted: the ragged tail is lost.
// first: wrong_value none
// says: Line 33 depends on the condition in line 25: if (i + 3 * THREADS < n).
// asks: Where does the way from data to bins end?
/* Lab 06: unrolled by four */
#define BINS 256
#define ITEMS 4096
#define THREADS 256

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

    for (int k = threadIdx.x; k < ITEMS; k += 4 * THREADS) {
        int i = blockIdx.x * ITEMS + k;
        if (i + 3 * THREADS < n) {
            int v0 = data[i];
            int v1 = data[i + THREADS];
            int v2 = data[i + 2 * THREADS];
            int v3 = data[i + 3 * THREADS];
            atomicAdd(&counts[v0], 1);
            atomicAdd(&counts[v1], 1);
            atomicAdd(&counts[v2], 1);
            atomicAdd(&counts[v3], 1);
        }
    }
    __syncthreads();

    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
