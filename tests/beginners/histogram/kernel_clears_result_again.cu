// cause: histogram clears the bins of the grid again, where another block may have added already (line 20).
// first: race_mixed blocks
// says: result[0] changed atomically by thread (0,0,0) of block (0,0,0) (line 28) and written by thread (0,0,0) of block (1,0,0) (line 20); nothing orders the two blocks
// asks: One block uses an atomic operation on result, another block a plain access. What orders the two?
#define BINS 256
#define ITEMS 4096

extern "C" __constant__ int histogram_items = ITEMS;

extern "C" __global__ void clear_bins(int *result)
{
    result[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *values, int *result, int n)
{
    __shared__ int priv[BINS];
    int t = threadIdx.x;
    priv[t] = 0;
    result[t] = 0;
    __syncthreads();
    for (int k = t; k < ITEMS; k += blockDim.x) {
        int pos = blockIdx.x * ITEMS + k;
        if (pos < n)
            atomicAdd(&priv[values[pos]], 1);
    }
    __syncthreads();
    atomicAdd(&result[t], priv[t]);
}
