// cause: items: the loop does not begin at the block's piece
// first: wrong_value other
// says: The bins add up to 8192, but there are only 4097 elements.
// asks: Which of them is counted more than once, or as more than 1?
extern "C" __constant__ int histogram_items = 4096;

extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    for (int k = threadIdx.x; k < 4096; k += blockDim.x)
        if (k < n)
            atomicAdd(&bins[data[k]], 1);
}
