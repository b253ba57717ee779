// each thread takes the lock of its bin to add its count
__device__ int locks[256];
#define ITEMS 4096

extern "C" __constant__ int histogram_items = 4096;

extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int counts[256];
    int t = threadIdx.x;
    counts[t] = 0;
    __syncthreads();
    for (int k = threadIdx.x; k < ITEMS; k += blockDim.x) {
        int i = blockIdx.x * ITEMS + k;
        if (i < n)
            atomicAdd(&counts[data[i]], 1);
    }
    __syncthreads();
    for (bool done = false; !done;)
        if (atomicCAS(&locks[t], 0, 1) == 0) {
            __threadfence();
            bins[t] += counts[t];
            __threadfence();
            atomicExch(&locks[t], 0);
            done = true;
        }
}
