// cause: __shared__ is missing
// first: not_shared
// says: counts is declared without __shared__, so each thread has an array of its own, and what one thread stores in its
// asks: Which threads store into this array, and which ones read what was stored?
extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    int counts[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    counts[threadIdx.x] = 0;
    __syncthreads();
    if (i < n)
        counts[data[i]]++;
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
