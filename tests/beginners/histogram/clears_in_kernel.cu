// cause: every block clears the result before it counts
// first: race_mixed blocks
// says: nothing orders the two blocks
// asks: One block uses an atomic operation on bins, another block a plain access. What orders the two?
extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bins[threadIdx.x] = 0;
    __syncthreads();
    if (i < n)
        atomicAdd(&bins[data[i]], 1);
}
