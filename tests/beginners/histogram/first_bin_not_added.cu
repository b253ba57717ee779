// cause: bin 0 is not added; clearing in each turn is right here
// first: wrong_value value
// says: With all elements of data equal to 0, no bin counts them; with all equal to 5, bins[5] does
// asks: On which line does the way of the value 0 differ from that of 5?
extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}
#define PART 1024
extern "C" __constant__ int histogram_items = PART;
extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int now[256];
    for (int turn = 0; turn < PART; turn += 256) {
        now[threadIdx.x] = 0;
        __syncthreads();
        int i = blockIdx.x * PART + turn + threadIdx.x;
        if (i < n)
            atomicAdd(&now[data[i]], 1);
        __syncthreads();
        if (threadIdx.x != 0)
            atomicAdd(&bins[threadIdx.x], now[threadIdx.x]);
        __syncthreads();
    }
}
