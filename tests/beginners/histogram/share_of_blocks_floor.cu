// cause: Line 22: n / gridDim.x rounds down, so the last n % gridDim.x elements belong to no block and are not counted (n = 4097, for example).
// first: wrong_value not_counted
// says: share = n/gridDim.x = 5003/2 = 2501; end = begin + share = 2501 + 2501 = 5002
// asks: Which thread counts data[5002]?
#define BINS 256

extern "C" __constant__ int histogram_items = 4096;

extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int hist[BINS];
    int me = threadIdx.x;
    hist[me] = 0;
    __syncthreads();

    // every block gets the same share
    int share = n / gridDim.x;
    int begin = share * blockIdx.x;
    int end = begin + share;

    for (int j = begin + me; j < end; j += blockDim.x)
        atomicAdd(&hist[data[j]], 1);

    __syncthreads();
    atomicAdd(&bins[me], hist[me]);
}
