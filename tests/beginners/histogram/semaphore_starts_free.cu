// cause: `free_slots[v]` starts at 1 (free, as a semaphore does), but `while (atomicCAS(&free_slots[v], 0, 1) != 0)` takes 0 for free, so no thread ever gets a lock and the loop does not end.
// first: barrier_divergent waits
// says: That loop waits: it ends only when another thread changes what it reads.
// asks: Which value in memory does the loop in line 31 wait for, and which thread of which block stores it?
/* Lab 06: every bin has a semaphore */
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
    __shared__ int free_slots[BINS];

    // one thread at a time may be in each bin
    counts[threadIdx.x] = 0;
    free_slots[threadIdx.x] = 1;
    __syncthreads();

    for (int k = threadIdx.x; k < ITEMS; k += blockDim.x) {
        int i = blockIdx.x * ITEMS + k;
        if (i >= n)
            break;
        int v = data[i];
        while (atomicCAS(&free_slots[v], 0, 1) != 0)
            ;
        __threadfence_block();
        counts[v] += 1;
        __threadfence_block();
        atomicExch(&free_slots[v], 0);
    }
    __syncthreads();

    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
