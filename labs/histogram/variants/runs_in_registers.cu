// expect: pass - each thread counts runs of equal values in a register
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

    int prev = -1, run = 0;
    int end = min((int)(blockIdx.x + 1) * ITEMS, n);
    for (int i = blockIdx.x * ITEMS + threadIdx.x; i < end; i += blockDim.x) {
        int v = data[i];
        if (v != prev) {
            if (run) atomicAdd(&counts[prev], run);
            prev = v;
            run = 0;
        }
        run++;
    }
    if (run) atomicAdd(&counts[prev], run);
    __syncthreads();

    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
