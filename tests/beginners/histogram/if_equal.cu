// cause: each thread looks for its own value in its own element only
// first: wrong_value none
// says: All counts are 0, though there are elements.
// asks: Where does the way from data to bins end?
extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && data[i] == threadIdx.x)
        atomicAdd(&bins[threadIdx.x], 1);
}
