// cause: block 0 alone adds its counts
// first: wrong_value one_block
// says: The result is exactly what block 0 has to count, and there are 17 blocks
// asks: What do the others do with their elements, and who adds their counts?
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
    if (blockIdx.x == 0)
        atomicAdd(&out[threadIdx.x], freq[threadIdx.x]);
}
