// cause: a run of equal elements counts as one
// first: wrong_value equal_left
// says: With values that all differ, every element of data is counted once; in this case, line 18 is executed
// asks: What keeps an element away from it when others have the same value?
extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}
extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        // count a run only once, at its start
        int len = 1;
        while (i + len < n && data[i + len] == data[i])
            len++;
        if (i == 0 || data[i - 1] != data[i])
            atomicAdd(&bins[data[i]], 1);
    }
}
