// cause: items: the loop does not begin at the block's piece
// first: wrong_value counted_again
// says: data[0..4095] are counted 2 times each;
// asks: Which thread should count data[0], and which should not?
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
