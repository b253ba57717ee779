// cause: items: the last block reads beyond n
// first: out_of_bounds loop
// says: read data[1], but data has 1 element (0..0)
// asks: In which turn of the loop does the index leave data, and which condition lets the loop get there?
extern "C" __constant__ int histogram_items = 4096;

extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    for (int k = threadIdx.x; k < 4096; k += blockDim.x)
        atomicAdd(&bins[data[blockIdx.x * 4096 + k]], 1);
}
