// cause: Line 14: the result of atomicCAS is not looked at, so when another thread has changed the bin since it was read in line 13 the exchange fails and the element is not counted.
// first: wrong_value atomic_steps
// says: With values that all differ, every element of data is counted once; of elements with the same value, counts get lost
// asks: What becomes of an update when the bin has one already
#define BINS 256
#define ITEMS 4096

extern "C" __constant__ int histogram_items = ITEMS;

// counter[v] += 1 with compare and swap
__device__ void increment(int *counter)
{
    int old = atomicAdd(counter, 0);       // atomic read
    atomicCAS(counter, old, old + 1);
}

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
        if (i < n)
            increment(&counts[data[i]]);
    }
    __syncthreads();

    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
