// cause: every thread adds all bins of the block
// first: wrong_value each
// says: Atomic operations executed in this case: 31 at line 17 and 65536 at line 20
// asks: By which ways does one element reach its bin, and how often?
extern "C" __global__ void clear_bins(int *bins)
{
    int b = threadIdx.x;
    bins[b] = 0;
}
extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int h[256];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    h[t] = 0;
    __syncthreads();
    if (i < n) atomicAdd(&h[data[i]], 1);
    __syncthreads();
    for (int b = 0; b < 256; b++)
        atomicAdd(&bins[b], h[b]);
}
