// cause: The bins of the grid are changed with += instead of an atomic operation, while other blocks do the same (line 33).
// first: race_global no_block
// says: result[0] written by thread (0,0,0) of block (0,0,0) (line 33) and read by thread (0,0,0) of block (1,0,0) (line 33); blockIdx is not in the index, so every block uses the same elements.
// asks: All blocks come to the same places in result. What happens when two of them change one at the same moment?
#define BINS 256
#define WARPS 8
#define CHUNK 8192

extern "C" __constant__ int histogram_items = CHUNK;

extern "C" __global__ void clear_bins(int *result)
{
    int bin = threadIdx.x;
    if (bin < BINS) result[bin] = 0;
}

// result for every warp
extern "C" __global__ void histogram(const int *in, int *result, int N)
{
    __shared__ int own[WARPS][BINS];
    int warp = threadIdx.x / 32;
    for (int w = 0; w < WARPS; w++)
        own[w][threadIdx.x] = 0;
    __syncthreads();
    int begin = blockIdx.x * CHUNK;
    int end = min(begin + CHUNK, N);
    for (int g = begin + threadIdx.x; g < end; g += 256)
        atomicAdd(&own[warp][in[g]], 1);
    __syncthreads();
    int sum = 0;
    for (int w = 0; w < WARPS; w++)
        sum += own[w][threadIdx.x];
    result[threadIdx.x] += sum;
}
