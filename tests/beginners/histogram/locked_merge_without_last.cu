// cause: the loop that adds the counts stops before the last bin
// first: wrong_value value
// says: With all elements of data equal to 255, no bin counts them; with all equal to 5, bins[5] does
// asks: On which line does the way of the value 255 differ from that of 5?
extern "C" __global__ void clear_bins(int *bins)
{
    int b = threadIdx.x;
    bins[b] = 0;
}
__device__ unsigned ticket;
extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int h[256];
    h[threadIdx.x] = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&h[data[i]], 1);
    __syncthreads();
    if (threadIdx.x == 0) {
        while (atomicCAS(&ticket, 0u, 1u) != 0u)
            ;
        for (int b = 0; b < 255; b++)
            atomicAdd(&bins[b], h[b]);
        atomicExch(&ticket, 0u);
    }
}
