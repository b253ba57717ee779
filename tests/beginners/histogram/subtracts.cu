// cause: atomicSub takes away
// first: wrong_value amount
// says: Line 13 is executed once for each element, and changes its bin by -1
// asks: How much should an element add?
extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}
extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicSub(&bins[data[i]], 1);
}
