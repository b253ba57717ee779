// cause: The scan is done in place in the input array, which must not change (line 19).
// first: read_only_write
// says: write in[0], but in is an input of this kernel
// asks: This array is an input. Which array should receive the result?
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    int *a = (int *)in;
    int t = threadIdx.x;
    int first = blockIdx.x * BLOCK;
    int i = first + t;
    for (int d = 1; d < BLOCK; d *= 2) {
        int x = 0;
        if (i < n && t >= d)
            x = a[i - d];
        __syncthreads();
        if (i < n)
            a[i] += x;
        __syncthreads();
    }
    if (i < n)
        out[i] = a[i];
    int last = first + BLOCK < n ? first + BLOCK - 1 : n - 1;
    if (i == last)
        block_sums[blockIdx.x] = a[last];
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n && blockIdx.x > 0)
        out[i] += block_sums[blockIdx.x - 1];
}
