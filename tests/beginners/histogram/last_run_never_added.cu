// cause: Line 29: a run is added only when the value changes, the run at the end of each thread's elements is never added (nothing follows the loop that ends in line 34).
// first: wrong_value skipped
// says: data[15] is not counted
// asks: What keeps data[15] from its bin?
#define BINS 256
#define CHUNK 16
#define ITEMS (CHUNK * 256)

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

    // my 16 elements; equal neighbours need only one atomic
    int start = (blockIdx.x * blockDim.x + threadIdx.x) * CHUNK;
    int current = -1;
    int length = 0;
    for (int i = start; i < start + CHUNK && i < n; i++) {
        if (data[i] != current) {
            if (length > 0)
                atomicAdd(&counts[current], length);
            current = data[i];
            length = 0;
        }
        length++;
    }
    __syncthreads();

    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
