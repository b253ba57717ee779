// cause: Only one element for each thread is counted although a block has to count 4096: there is no loop (line 22).
// first: wrong_value period
// says: Exactly the first 256 of each 4096 elements were counted.
// asks: How many elements is a block responsible for, and how many threads does it have?
#define BINS 256
#define CHUNK 4096

extern "C" __constant__ int histogram_items = CHUNK;

extern "C" __global__ void clear_bins(int *out)
{
    out[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *in, int *out, int n)
{
    __shared__ int hist[BINS];
    int t = threadIdx.x;
    hist[t] = 0;
    __syncthreads();
    int k = t;
    if (k < CHUNK) {
        int g = blockIdx.x * CHUNK + k;
        if (g < n)
            atomicAdd(&hist[in[g]], 1);
    }
    __syncthreads();
    atomicAdd(&out[t], hist[t]);
}
