// cause: line 18: busy is __shared__, so each block has a lock of its own and two blocks change bins together
// first: race_global own_lock
// says: is in shared memory, and each block has its own
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
    __shared__ unsigned busy;
    counts[threadIdx.x] = 0;
    if (threadIdx.x == 0)
        busy = 0;
    __syncthreads();
    for (int i = blockIdx.x * ITEMS + threadIdx.x; i < n && i < (blockIdx.x + 1) * ITEMS; i += blockDim.x)
        atomicAdd(&counts[data[i]], 1);
    __syncthreads();
    for (int turn = 0; turn < BINS; turn++) {
        if (turn == threadIdx.x) {
            while (atomicCAS(&busy, 0u, 1u) == 1u)
                ;
            bins[turn] = bins[turn] + counts[turn];
            __threadfence();
            atomicExch(&busy, 0u);
        }
        __syncthreads();
    }
}
