// cause: Line 33: the loop for the rest begins at n / 4, the number of quadruples, instead of at element n / 4 * 4, so most elements are counted a second time.
// first: wrong_value two_lines
// says: is read 2 times: first at line 26 by thread
// asks: Which of these lines should count data[7]?
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

    int g = blockIdx.x * blockDim.x + threadIdx.x;
    int total = gridDim.x * blockDim.x;
    int quads = n / 4;

    for (int q = g; q < quads; q += total) {
        int4 v = ((const int4 *)data)[q];
        atomicAdd(&counts[v.x], 1);
        atomicAdd(&counts[v.y], 1);
        atomicAdd(&counts[v.z], 1);
        atomicAdd(&counts[v.w], 1);
    }
    // what is left if n is not a multiple of 4
    for (int i = quads + g; i < n; i += total) {
        atomicAdd(&counts[data[i]], 1);
    }
    __syncthreads();

    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
