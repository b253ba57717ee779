// cause: atomicOr combines bits
// first: wrong_value replaced
// says: Line 18 changes out with atomicOr, which does not add
// asks: What does it leave in a bin that has a count already?
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
    atomicOr(&out[threadIdx.x], freq[threadIdx.x]);
}
