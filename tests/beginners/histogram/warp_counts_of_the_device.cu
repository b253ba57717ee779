// cause: the counts of the block are in an array of the device, which all blocks share
// first: race_global blocks
// says: nothing orders the two blocks
// asks: Two blocks use the same element of part. What makes one wait for the other?
#define BINS 256
#define ITEMS 4096

extern "C" __constant__ int histogram_items = ITEMS;

__device__ int part[2][BINS];      // even and odd warps

extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    int half = threadIdx.x / 32 % 2;
    part[0][threadIdx.x] = 0;
    part[1][threadIdx.x] = 0;
    __syncthreads();

    for (int k = threadIdx.x; k < ITEMS; k += blockDim.x) {
        int i = blockIdx.x * ITEMS + k;
        if (i < n)
            atomicAdd(&part[half][data[i]], 1);
    }
    __syncthreads();

    atomicAdd(&bins[threadIdx.x], part[0][threadIdx.x] + part[1][threadIdx.x]);
}
