// cause: Line 30: the share is rounded up but the end of the last block is not limited to n, so it reads beyond the data (n = 4097: 2 blocks of 2049).
// first: out_of_bounds loop
// says: read data[4097], but data has 4097 elements (0..4096)
// asks: In which turn of the loop does the index leave data, and which condition lets the loop get there?
#define BINS 256
#define ITEMS 4096

extern "C" __constant__ int histogram_items = ITEMS;

extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

__device__ void count_range(const int *data, int begin, int end, int *h)
{
    for (int i = begin + (int)threadIdx.x; i < end; i += (int)blockDim.x)
        atomicAdd(&h[data[i]], 1);
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int h[BINS];
    h[threadIdx.x] = 0;
    __syncthreads();

    int blocks = gridDim.x;
    int share = (n + blocks - 1) / blocks;
    int begin = blockIdx.x * share;
    count_range(data, begin, begin + share, h);
    __syncthreads();

    atomicAdd(&bins[threadIdx.x], h[threadIdx.x]);
}
