// cause: `int last = -1, run = 0;` and then `atomicAdd(&counts[last], run);` at the first change of value: each thread's first value differs from -1, so it adds 0 to counts[-1], out of bounds in shared memory.
// first: out_of_bounds negative
// says: atomic on counts[-1], but counts has 256 elements (0..255)
// asks: The index is below 0. Which part of its formula is negative in this thread?
/* Lab 06: equal values in a row are added in one go */
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

    int last = -1, run = 0;
    for (int k = threadIdx.x; k < ITEMS; k += blockDim.x) {
        int i = blockIdx.x * ITEMS + k;
        if (i >= n)
            break;
        int v = data[i];
        if (v != last) {
            atomicAdd(&counts[last], run);
            last = v;
            run = 0;
        }
        run++;
    }
    if (run > 0)
        atomicAdd(&counts[last], run);
    __syncthreads();

    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
