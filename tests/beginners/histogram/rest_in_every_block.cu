// cause: `for (int i = n / 4 * 4 + threadIdx.x; i < n; i += blockDim.x)`: the up to three elements after the last int4 are counted by every block, so once per block instead of once (n = 4097, 5003, 65537, 100003).
// first: wrong_value counted_again
// says: In thread (0,0,0) of block (0,0,0), i begins at n/4*4 + threadIdx.x = 4097/4*4 + 0 = 4096; i grows by blockDim.x = 256.
// asks: Which thread should count data[4096], and which should not?
/* Lab 06: four values per load */
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
    counts[threadIdx.x] = 0;
    __syncthreads();

    const int4 *fours = (const int4 *)data;
    int begin = blockIdx.x * (ITEMS / 4);
    int end = min(begin + ITEMS / 4, n / 4);
    for (int q = begin + threadIdx.x; q < end; q += blockDim.x) {
        int4 v = fours[q];
        atomicAdd(&counts[v.x], 1);
        atomicAdd(&counts[v.y], 1);
        atomicAdd(&counts[v.z], 1);
        atomicAdd(&counts[v.w], 1);
    }

    // the rest, when n is not a multiple of 4
    for (int i = n / 4 * 4 + threadIdx.x; i < n; i += blockDim.x)
        atomicAdd(&counts[data[i]], 1);
    __syncthreads();

    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
