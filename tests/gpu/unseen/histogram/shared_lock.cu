// each thread takes the block's lock to count an element
#define ITEMS 1024

extern "C" __constant__ int histogram_items = 1024;

extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int counts[256];
    __shared__ int lock;
    int t = threadIdx.x;
    counts[t] = 0;
    if (t == 0)
        lock = 0;
    __syncthreads();
    for (int k = t; k < ITEMS; k += 256) {
        int i = blockIdx.x * ITEMS + k;
        for (bool done = i >= n; !done;)
            if (atomicCAS(&lock, 0, 1) == 0) {
                __threadfence_block();
                ((volatile int *)counts)[data[i]]++;
                __threadfence_block();
                atomicExch(&lock, 0);
                done = true;
            }
    }
    __syncthreads();
    if (counts[t] > 0)
        atomicAdd(&bins[t], counts[t]);
}
