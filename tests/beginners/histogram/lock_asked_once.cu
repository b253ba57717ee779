// cause: a thread that finds the lock taken goes on without counting
// first: wrong_value try_once
// says: The `if` in line 18 asks once for busy: a thread that finds it taken skips the lines inside
// asks: What becomes of the element of such a thread?
#define BINS 256
#define ITEMS 4096
extern "C" __constant__ int histogram_items = ITEMS;
extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}
__device__ int busy = 0;
extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    for (int i = threadIdx.x; i < ITEMS; i += blockDim.x) {
        int g = blockIdx.x * ITEMS + i;
        if (g < n) {
            if (atomicExch(&busy, 1) == 0) {
                bins[data[g]]++;
                atomicExch(&busy, 0);
            }
        }
    }
}
