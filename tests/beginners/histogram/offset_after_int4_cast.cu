// cause: `const int4 *mine = (const int4 *)data + blockIdx.x * ITEMS;`: the offset counts int4, not int, so block b begins at element 4 * ITEMS * b, and most elements are skipped with two or more blocks.
// first: wrong_value not_counted
// says: mine begins at (const int4 *)data + blockIdx.x * ITEMS (line 22), where the cast comes first: what is added to it counts int4, not single elements.
// asks: Which thread should count data[4096]?
/* Lab 06 - vector loads */
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

    const int4 *mine = (const int4 *)data + blockIdx.x * ITEMS;
    const int *end = data + n;

    for (int q = threadIdx.x; q < ITEMS / 4; q += blockDim.x) {
        const int *p = (const int *)(mine + q);
        if (p + 4 <= end) {
            int4 v = mine[q];
            atomicAdd(&counts[v.x], 1);
            atomicAdd(&counts[v.y], 1);
            atomicAdd(&counts[v.z], 1);
            atomicAdd(&counts[v.w], 1);
        } else {
            for (; p < end; ++p)
                atomicAdd(&counts[*p], 1);
        }
    }
    __syncthreads();

    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
