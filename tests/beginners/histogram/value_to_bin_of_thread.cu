// cause: the value is added to the bin of the thread
// first: wrong_value any_value
// says: With all elements of data equal to 5, the same bins change as with all equal to 200: the value of an element decides how much is added, and not where
// asks: Which of the two should it decide?
extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}
extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    int idx = threadIdx.x + blockIdx.x * blockDim.x;
    if (idx < n) {
        int value = data[idx];
        atomicAdd(&bins[threadIdx.x], value);
    }
}
