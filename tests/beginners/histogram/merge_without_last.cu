// cause: the last bin is not added
// first: wrong_value value
// says: With all elements of in equal to 255, no bin counts them; with all equal to 5, out[5] does
// asks: On which line does the way of the value 255 differ from that of 5?
extern "C" __global__ void clear_bins(int *out)
{
    out[threadIdx.x] = 0;
}
extern "C" __global__ void histogram(const int *in, int *out, int len)
{
    __shared__ int freq[256];
    freq[threadIdx.x] = 0;
    __syncthreads();
    int gid = blockIdx.x * blockDim.x + threadIdx.x;
    if (gid < len)
        atomicAdd(&freq[in[gid]], 1);
    __syncthreads();
    if (threadIdx.x < 255)
        atomicAdd(&out[threadIdx.x], freq[threadIdx.x]);
}
