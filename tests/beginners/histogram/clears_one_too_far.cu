// cause: the loop that clears goes on to v = BINS, so the last warp writes beyond the array
// first: out_of_bounds loop
// says: write h[8][0], but h has 8 rows of 256 elements
// asks: In which turn of the loop does the index leave h, and which condition lets the loop get there?
#define BINS 256
#define ITEMS 4096
extern "C" const int histogram_items = ITEMS;
extern "C" __global__ void clear_bins(int *bins) { bins[threadIdx.x] = 0; }
extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int h[8][BINS];
    int w = threadIdx.x / 32;
    for (int v = threadIdx.x % 32; v <= BINS; v += 32) h[w][v] = 0;
    __syncthreads();
    for (int k = threadIdx.x; k < ITEMS; k += blockDim.x) {
        int i = blockIdx.x * ITEMS + k;
        if (i < n) atomicAdd(&h[w][data[i]], 1);
    }
    __syncthreads();
    int s = 0;
    for (int k = 0; k < 8; k++) s += h[k][threadIdx.x];
    atomicAdd(&bins[threadIdx.x], s);
}
