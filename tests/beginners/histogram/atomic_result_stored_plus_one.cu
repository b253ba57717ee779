// cause: `counts[v] = atomicAdd(&counts[v], 1) + 1;` stores the result of the atomic addition once more with a plain store, which may overwrite what other threads have added since: race with an atomic operation, lost updates.
// first: race_warp returned
// says: each thread reads it, changes it and writes it back, so a change can be lost
// asks: What does an atomic function return, and what has it done to its first argument already?
/* Lab 06 */
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
        int i = blockIdx.x * ITEMS + k;
        if (i < n) {
            int v = data[i];
            counts[v] = atomicAdd(&counts[v], 1) + 1;
        }
    }
    __syncthreads();

    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
