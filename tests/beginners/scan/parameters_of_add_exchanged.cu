// cause: the first two parameters of add_block_sums are exchanged, so the kernel adds elements of the array to the block sums, beyond the end of that array, and leaves the array as it was
// first: out_of_bounds guarded
// says: read out[256], but out has 2 elements (0..1)
// asks: Which name belongs to which argument?
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int s[BLOCK];
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    s[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int step = 1; step < BLOCK; step += step) {
        int tmp = s[t];
        if (t - step >= 0)
            tmp += s[t - step];
        __syncthreads();
        s[t] = tmp;
        __syncthreads();
    }
    if (i < n)
        out[i] = s[t];
    if (t == BLOCK - 1)
        block_sums[blockIdx.x] = s[t];
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(const int *block_sums, int *out, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n && blockIdx.x >= 1)
        out[i] += block_sums[blockIdx.x - 1];
}
