// cause: the copy in shared memory is filled up with 0, and the 0s are counted
// first: wrong_value padding
// says: bins[0] alone is too high, by 255: line 19 was executed 256 times, and there is only 1 element
// asks: What does it count when there is no element left?
extern "C" __global__ void clear_bins(int *bins)
{
    int b = threadIdx.x;
    bins[b] = 0;
}
extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int h[256];
    __shared__ int d[256];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    h[t] = 0;
    d[t] = i < n ? data[i] : 0;
    __syncthreads();
    atomicAdd(&h[d[t]], 1);
    __syncthreads();
    atomicAdd(&bins[t], h[t]);
}
