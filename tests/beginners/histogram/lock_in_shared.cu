// cause: Line 18: the lock is in shared memory, so each block has its own, and nothing keeps two blocks from doing the += in line 35 on the same global bin at the same time (race between blocks, lost updates).
// first: race_global own_lock
// says: the lock that the second one holds is in shared memory, and each block has its own
// asks: how many of it are there for the whole grid?
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
    __shared__ int lock;

    counts[threadIdx.x] = 0;
    if (threadIdx.x == 0) lock = 0;
    __syncthreads();

    for (int k = threadIdx.x; k < ITEMS; k += blockDim.x) {
        int i = blockIdx.x * ITEMS + k;
        if (i < n) atomicAdd(&counts[data[i]], 1);
    }
    __syncthreads();

    // critical section: only one at a time may change bins
    if (threadIdx.x == 0) {
        while (atomicCAS(&lock, 0, 1) != 0) { }
        __threadfence();
        for (int b = 0; b < BINS; b++)
            bins[b] += counts[b];
        __threadfence();
        atomicExch(&lock, 0);
    }
}
