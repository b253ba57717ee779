// cause: After the loop that ends in line 37 the thread's last run is never added to its bin, so each thread loses the elements of its last run.
// first: wrong_value none
// says: none at line 33 and 256 at line 40. Line 33 depends on the condition in line 32: if (length > 0).
// asks: Where does the way from data to bins end?
#define BINS 256
#define ITEMS 4096

extern "C" __constant__ int histogram_items = ITEMS;

extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

// Counts runs of equal values in a register: fewer atomics on skewed data.
extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int counts[BINS];
    int tid = threadIdx.x;
    counts[tid] = 0;
    __syncthreads();

    int end = min((int)blockIdx.x * ITEMS + ITEMS, n);
    int current = -1;
    int length = 0;

    for (int i = blockIdx.x * ITEMS + tid; i < end; i += blockDim.x) {
        int v = data[i];
        if (v == current) {
            length++;
        } else {
            if (length > 0)
                atomicAdd(&counts[current], length);
            current = v;
            length = 1;
        }
    }
    __syncthreads();

    atomicAdd(&bins[tid], counts[tid]);
}
