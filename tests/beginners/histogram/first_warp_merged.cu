// cause: of the bins of eight warps only the first ones are added
// first: wrong_value lost_later
// says: Line 20 is executed 255 times, as often as there are elements
// asks: What becomes of what it counts for data[32]?
extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}
extern "C" __constant__ int histogram_items = 1024;
extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ unsigned int sub[8 * 256];
    unsigned int *mine = sub + 256 * (threadIdx.x >> 5);
    for (int k = threadIdx.x; k < 8 * 256; k += 256)
        sub[k] = 0u;
    __syncthreads();
    for (int k = threadIdx.x; k < 1024; k += 256) {
        int p = blockIdx.x * 1024 + k;
        if (p < n)
            atomicAdd(mine + data[p], 1u);
    }
    __syncthreads();
    atomicAdd((unsigned int *)&bins[threadIdx.x], sub[threadIdx.x]);
}
