// cause: n / gridDim.x rounds down, and nobody counts the remainder.
// first: wrong_value not_counted
// says: The counts are exactly those of data[0..5001]: the last element was not counted.
// asks: Which thread counts data[5002]?
#define BINS 256

extern "C" __constant__ int histogram_items = 4096;

extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int local_bins[BINS];
    int rank = blockIdx.x;
    int local_n = n / gridDim.x;
    const int *local_data = data + rank * local_n;

    local_bins[threadIdx.x] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < local_n; i += blockDim.x) {
        atomicAdd(&local_bins[local_data[i]], 1);
    }
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], local_bins[threadIdx.x]);
}
