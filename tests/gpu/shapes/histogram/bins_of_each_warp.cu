// counts of each warp in shared memory
#define ITEMS 8192

extern "C" __constant__ int histogram_items = 8192;

extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int counts[8][256];
    int t = threadIdx.x;
    for (int k = t; k < 8 * 256; k += 256)
        counts[k / 256][k % 256] = 0;
    __syncthreads();
    for (int k = threadIdx.x; k < ITEMS; k += blockDim.x) {
        int i = blockIdx.x * ITEMS + k;
        if (i < n)
            atomicAdd(&counts[t / 32][data[i]], 1);
    }
    __syncthreads();
    int sum = 0;
    for (int w = 0; w < 8; w++)
        sum += counts[w][t];
    if (sum > 0)
        atomicAdd(&bins[t], sum);
}
