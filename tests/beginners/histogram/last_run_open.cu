// cause: a thread adds a run of equal values when a new value begins, but the run that is open when the loop ends is never added
// first: wrong_value none
// says: All counts are 0, though there are elements.
// asks: Where does the way from data to bins end?
#define BINS 256
#define ITEMS 4096

extern "C" __constant__ int histogram_items = ITEMS;

extern "C" __global__ void clear_bins(int *bins)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < BINS) {
        bins[j] = 0;
    }
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int local_bins[BINS];
    for (int j = threadIdx.x; j < BINS; j += blockDim.x) {
        local_bins[j] = 0;
    }
    __syncthreads();
    int last = -1;
    int run = 0;
    for (int j = threadIdx.x; j < ITEMS; j += blockDim.x) {
        int i = blockIdx.x * ITEMS + j;
        if (i < n) {
            int v = data[i];
            if (v != last) {
                // save an atomic while the value stays the same
                if (run > 0) {
                    atomicAdd(&local_bins[last], run);
                }
                last = v;
                run = 0;
            }
            run++;
        }
    }
    __syncthreads();
    for (int j = threadIdx.x; j < BINS; j += blockDim.x) {
        atomicAdd(&bins[j], local_bins[j]);
    }
}
