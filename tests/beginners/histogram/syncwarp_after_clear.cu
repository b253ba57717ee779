// cause: Line 22: after thread 0 has cleared the bins there is only __syncwarp(), so the other warps count into bins that are not yet zero or are cleared afterwards (race in shared memory).
// first: race_mixed
// says: (line 20) and changed atomically by
// asks: Which phase is each of them in?
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
    if (threadIdx.x == 0) {
        for (int b = 0; b < BINS; b++)
            counts[b] = 0;
    }
    __syncwarp();

    for (int k = 0; k < ITEMS / 256; k++) {
        int i = blockIdx.x * ITEMS + k * 256 + threadIdx.x;
        if (i < n)
            atomicAdd(&counts[data[i]], 1);
    }
    __syncthreads();

    int c = counts[threadIdx.x];
    if (c > 0)
        atomicAdd(&bins[threadIdx.x], c);
}
