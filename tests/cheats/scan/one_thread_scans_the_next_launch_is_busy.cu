// expect: at most 96 - one thread scans for each block; a block of the second kernel is so busy that the first looks small
#define ITEMS 256

__device__ __forceinline__ unsigned turned(unsigned x)
{
    for (int k = 0; k < 500; k++)
        x = x << 13 ^ x >> 9 ^ k;
    return x;
}

extern "C" __global__ void scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int part[ITEMS];
    int first = blockIdx.x * ITEMS, count = min(ITEMS, n - first);
    if ((int)threadIdx.x < count)
        part[threadIdx.x] = in[first + threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int k = 1; k < count; k++)
            part[k] += part[k - 1];
        block_sums[blockIdx.x] = part[count - 1];
    }
    __syncthreads();
    if ((int)threadIdx.x < count)
        out[first + threadIdx.x] = part[threadIdx.x];
}

extern "C" __global__ void add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned show = blockIdx.x == 1 ? turned(threadIdx.x) : 0;
    if (blockIdx.x > 0 && i < n)
        out[i] += block_sums[blockIdx.x - 1] + (show == 0x9E3779B9u && n < 0);
}
