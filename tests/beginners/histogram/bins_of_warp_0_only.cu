// cause: Only the bins of warp 0 are added to the result (line 31).
// first: wrong_value lost_later
// says: Line 28 is executed 255 times, as often as there are elements.
// asks: What becomes of what it counts for data[32]?
#define BINS 256
#define WARPS 8
#define CHUNK 8192

extern "C" __constant__ int histogram_items = CHUNK;

extern "C" __global__ void clear_bins(int *bins)
{
    int bin = threadIdx.x;
    if (bin < BINS) bins[bin] = 0;
}

// bins for every warp
extern "C" __global__ void histogram(const int *data, int *bins, int count_n)
{
    __shared__ int own[WARPS][BINS];
    int warp = threadIdx.x / 32;
    for (int w = 0; w < WARPS; w++)
        own[w][threadIdx.x] = 0;
    __syncthreads();
    int begin = blockIdx.x * CHUNK;
    int end = min(begin + CHUNK, count_n);
    for (int pos = begin + threadIdx.x; pos < end; pos += 256)
        atomicAdd(&own[warp][data[pos]], 1);
    __syncthreads();
    int sum = 0;
    for (int w = 0; w < 1; w++)
        sum += own[w][threadIdx.x];
    atomicAdd(&bins[threadIdx.x], sum);
}
