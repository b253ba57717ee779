// cause: a warp's bins have 8 bits each
// first: wrong_value narrow
// says: Line 15 declares rows with elements of type unsigned char, which hold 0 to 255: a count that goes beyond comes out 256 too low, or a multiple of that
// asks: How large must rows be able to become in this case?
#define BINS 256
#define ITEMS 4096
extern "C" __constant__ int histogram_items = ITEMS;
extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}
extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    // one row of 8-bit counters for each warp, thread 0 of a warp counts
    __shared__ unsigned char rows[8][BINS];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    for (int b = lane; b < BINS; b += 32)
        rows[warp][b] = 0;
    __syncwarp();
    int from = blockIdx.x * ITEMS + warp * 512;
    if (lane == 0)
        for (int i = from; i < from + 512 && i < n; i++)
            rows[warp][data[i]]++;
    __syncthreads();
    int sum = 0;
    for (int w = 0; w < 8; w++)
        sum += rows[w][threadIdx.x];
    atomicAdd(bins + threadIdx.x, sum);
}
