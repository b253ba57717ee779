// cause: reads the bin of the thread and stores that of the value
// first: race_warp chain
// says: one thread needs what the other replaces
// asks: Which bin does this line read, and which one does it store?
#define BINS 256
extern "C" __constant__ int histogram_items = 256;
extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}
extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int own[BINS];
    int t = threadIdx.x;
    own[t] = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + t;
    if (i < n)
        own[data[i]] = own[t] + 1;
    __syncthreads();
    atomicAdd(&bins[t], own[t]);
}
