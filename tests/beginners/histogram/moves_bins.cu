// cause: the pointer to the bins moves on by the number of the block
// first: out_of_bounds moved
// says: atomic on bins[256], but bins has 256 elements (0..255)
// asks: Where does the pointer point when the line uses it, and what does the index add to that?
extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}
extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    bins += blockIdx.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&bins[data[i]], 1);
}
