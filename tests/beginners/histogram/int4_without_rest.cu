// cause: Line 23: n / 4 vectors leave out the last n % 4 elements, and nothing counts them afterwards.
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
    const int tid = threadIdx.x;
    counts[tid] = 0;
    __syncthreads();

    const int4 *data4 = (const int4 *)data;
    const int n4 = n / 4;

    // grid-stride loop over vectors
    for (int i = blockIdx.x * blockDim.x + tid; i < n4; i += gridDim.x * blockDim.x) {
        const int4 v = data4[i];
        atomicAdd(&counts[v.x], 1);
        atomicAdd(&counts[v.y], 1);
        atomicAdd(&counts[v.z], 1);
        atomicAdd(&counts[v.w], 1);
    }
    __syncthreads();

    atomicAdd(&bins[tid], counts[tid]);
}
