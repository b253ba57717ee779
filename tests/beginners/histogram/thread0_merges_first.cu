// cause: thread 0 adds only counts[0]
// first: wrong_value none
// says: All counts are 0, though there are elements.
// asks: Where does the way from data to bins end?
extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int counts[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    counts[threadIdx.x] = 0;
    __syncthreads();
    if (i < n)
        atomicAdd(&counts[data[i]], 1);
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
