// cause: the search ends at the first element of the value
// first: wrong_value presence
// says: Every bin is 1 if its value occurs, however often it does
// asks: What does the second element of a value change in its bin?
extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}
extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    // thread t looks for value t in the block's part
    int found = 0;
    for (int j = 0; j < 256; j++) {
        int idx = blockIdx.x * 256 + j;
        if (idx < n && data[idx] == threadIdx.x) {
            found++;
            break;
        }
    }
    atomicAdd(&bins[threadIdx.x], found);
}
