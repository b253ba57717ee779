// cause: nothing sets the lock free
// first: fuel kept
// says: the loop at line 18 still runs after 10 million warp instructions: it waits for mutex to change, and no other line of the kernel uses mutex
// asks: Which thread took mutex before, and which line should set it free again?
#define BINS 256
#define ITEMS 4096
extern "C" __constant__ int histogram_items = ITEMS;
extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}
__device__ int mutex = 0;
extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    for (int i = threadIdx.x; i < ITEMS; i += blockDim.x) {
        int g = blockIdx.x * ITEMS + i;
        if (g < n) {
            while (atomicCAS(&mutex, 0, 1) != 0)
                ;
            bins[data[g]] = bins[data[g]] + 1;
        }
    }
}
