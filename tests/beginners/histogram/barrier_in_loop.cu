// cause: a barrier under the guard of the loop
// first: barrier_divergent loop
// says: 1 thread waits at the barrier at line 19 (the first is (0,0,0)), 255 went around it at line 17 and on to
// asks: How many turns of the loop does the first thread in the message make, and how many the others?
extern "C" __constant__ int histogram_items = 4096;

extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int counts[256];
    counts[threadIdx.x] = 0;
    __syncthreads();
    for (int k = threadIdx.x; blockIdx.x * 4096 + k < n && k < 4096; k += 256) {
        atomicAdd(&counts[data[blockIdx.x * 4096 + k]], 1);
        __syncthreads();
    }
    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
