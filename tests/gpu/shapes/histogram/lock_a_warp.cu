// each warp takes a lock in global memory to add its counts
__device__ int lock;
#define ITEMS 4096

extern "C" __constant__ int histogram_items = 4096;

extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int counts[8][256];
    int t = threadIdx.x, warp = t / 32, lane = t % 32;
    for (int k = lane; k < 256; k += 32)
        counts[warp][k] = 0;
    __syncwarp();
    for (int k = threadIdx.x; k < ITEMS; k += blockDim.x) {
        int i = blockIdx.x * ITEMS + k;
        if (i < n)
            atomicAdd(&counts[warp][data[i]], 1);
    }
    __syncwarp();
    if (lane == 0)
        while (atomicCAS(&lock, 0, 1) != 0)
            ;
    __threadfence();
    __syncwarp();
    for (int k = lane; k < 256; k += 32)
        ((volatile int *)bins)[k] += counts[warp][k];
    __threadfence();
    __syncwarp();
    if (lane == 0)
        atomicExch(&lock, 0);
}
