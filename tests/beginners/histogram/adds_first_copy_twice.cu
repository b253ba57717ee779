// cause: `counts[0][b] + counts[0][b]` adds the first copy of the bins twice and leaves the second one out, so what the odd warps counted is lost and the rest doubled.
// first: wrong_value each
// says: Each element is counted 2 times.
// asks: What does line 34 add?
/* Lab 06: two copies of the bins, for even and odd warps */
#define BINS 256
#define ITEMS 4096

extern "C" __constant__ int histogram_items = ITEMS;

extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int counts[2][BINS];
    const int b = threadIdx.x;
    const int copy = (threadIdx.x / 32) % 2;

    counts[0][b] = 0;
    counts[1][b] = 0;
    __syncthreads();

    for (int k = threadIdx.x; k < ITEMS; k += blockDim.x) {
        const int i = blockIdx.x * ITEMS + k;
        if (i < n) {
            atomicAdd(&counts[copy][data[i]], 1);
        }
    }
    __syncthreads();

    atomicAdd(&bins[b], counts[0][b] + counts[0][b]);
}
