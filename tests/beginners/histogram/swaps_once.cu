// cause: an atomicCAS that fails is not repeated, and the value that it expects is read plainly
// first: race_mixed atomic_steps
// says: changed atomically by thread
// asks: Another thread changes the element between the steps of this update. Which line notices that?
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
            int seen = counts[v];
            atomicCAS(&counts[v], seen, seen + 1);
        }
    }
    __syncthreads();

    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
