// cause: Line 18: atomicCAS is tried only once; when another thread has changed the bin since line 17 read it, nothing is stored and the element is lost.
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

__device__ void increment(int *p)
{
    int old = *p;
    atomicCAS(p, old, old + 1);
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int counts[BINS];
    counts[threadIdx.x] = 0;
    __syncthreads();

    for (int k = threadIdx.x; k < ITEMS; k += blockDim.x) {
        int i = blockIdx.x * ITEMS + k;
        if (i < n)
            increment(&counts[data[i]]);
    }
    __syncthreads();

    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
