// expect: pass - each warp has its own bins, four values per load, no atomics in the sum over warps
#define WARPS 8
#define ITEMS 8192

extern "C" __constant__ int histogram_items = ITEMS;

extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *__restrict__ data, int *bins, int n)
{
    __shared__ int counts[WARPS][256];
    int *mine = counts[threadIdx.x / 32];
    for (int k = threadIdx.x; k < WARPS * 256; k += 256)
        (&counts[0][0])[k] = 0;
    __syncthreads();
    for (int k = threadIdx.x * 4; k < ITEMS; k += 1024) {
        int i = blockIdx.x * ITEMS + k;
        if (n - i >= 4) {
            int4 v = *(const int4 *)(data + i);
            atomicAdd(&mine[v.x], 1);
            atomicAdd(&mine[v.y], 1);
            atomicAdd(&mine[v.z], 1);
            atomicAdd(&mine[v.w], 1);
        } else {
            for (; i < n; i++)
                atomicAdd(&mine[data[i]], 1);
        }
    }
    __syncthreads();
    int sum = 0;
    for (int w = 0; w < WARPS; w++)
        sum += counts[w][threadIdx.x];
    if (sum > 0)
        atomicAdd(&bins[threadIdx.x], sum);
}
