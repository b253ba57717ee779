// cause: an unsigned short is always below 131072
// first: fuel narrow
// says: the loop at line 12 still runs after 10 million warp instructions: the type of k is unsigned short, which holds no number above 65535, so the condition k < 131072 is always true
// asks: What is the largest number that this variable can hold, and what is the one after it?
extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}
extern "C" __constant__ int histogram_items = 131072;
extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    for (unsigned short k = threadIdx.x; k < 131072; k += 256) {
        int i = blockIdx.x * 131072 + k;
        if (i < n) atomicAdd(&bins[data[i]], 1);
    }
}
