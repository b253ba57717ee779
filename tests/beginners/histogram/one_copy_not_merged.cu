// cause: of four copies of the bins three are added up
// first: wrong_value lost_later
// says: Line 19 is executed 31 times, as often as there are elements
// asks: What becomes of what it counts for data[3]?
#define BINS 256
#define ITEMS 4096
extern "C" __constant__ int histogram_items = ITEMS;
extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}
extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int h[4][BINS];
    for (int r = 0; r < 4; r++) h[r][threadIdx.x] = 0;
    __syncthreads();
    int base = blockIdx.x * ITEMS;
    for (int i = threadIdx.x; i < ITEMS && base + i < n; i += blockDim.x)
        atomicAdd(&h[threadIdx.x & 3][data[base + i]], 1);
    __syncthreads();
    int sum = 0;
    for (int r = 0; r < 3; r++) sum += h[r][threadIdx.x];
    atomicAdd(&bins[threadIdx.x], sum);
}
