// cause: The shared bins are never set to 0 (line 17).
// first: uninitialized never_set
// says: No line of histogram sets priv.
// asks: Which line gives priv its first value?
#define BINS 256
#define PER_BLOCK 4096

extern "C" __constant__ int histogram_items = PER_BLOCK;

extern "C" __global__ void clear_bins(int *out)
{
    out[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *in, int *out, int N)
{
    __shared__ int priv[BINS];
    int tid = threadIdx.x;
    for (int k = tid; k < PER_BLOCK; k += blockDim.x) {
        int g = blockIdx.x * PER_BLOCK + k;
        if (g < N)
            atomicAdd(&priv[in[g]], 1);
    }
    __syncthreads();
    atomicAdd(&out[tid], priv[tid]);
}
