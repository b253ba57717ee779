// cause: n / 4 groups of four; the up to three elements after the last full group are never counted.
// first: wrong_value not_counted
// says: The counts are exactly those of data[0..251]: the last 3 elements were not counted.
// asks: Which thread counts data[252]?
#define BINS 256
#define ITEMS 4096

extern "C" __constant__ int histogram_items = ITEMS;

extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int counts[BINS];
    const int4 *data4 = (const int4 *)data;
    int n4 = n / 4;

    counts[threadIdx.x] = 0;
    __syncthreads();
    for (int k = threadIdx.x; k < ITEMS / 4; k += blockDim.x) {
        int j = blockIdx.x * (ITEMS / 4) + k;
        if (j < n4) {
            int4 v = data4[j];
            atomicAdd(&counts[v.x], 1);
            atomicAdd(&counts[v.y], 1);
            atomicAdd(&counts[v.z], 1);
            atomicAdd(&counts[v.w], 1);
        }
    }
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
