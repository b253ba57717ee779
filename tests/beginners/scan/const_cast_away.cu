// cause: const is cast away, and the steps are done in the input
// first: read_only_write
// says: write in[0], but in is an input of this kernel
// asks: This array is an input. Which array should receive the result?
#define BLOCK 256

extern "C" __global__ void scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    int *a = (int *)in;
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    int d = 1;

    while (d < BLOCK) {
        int left = 0;
        if (t >= d && i < n) left = a[i - d];
        __syncthreads();
        if (i < n) a[i] += left;
        __syncthreads();
        d = d + d;
    }

    if (i < n) {
        out[i] = a[i];
        if (t == BLOCK - 1 || i == n - 1)
            block_sums[blockIdx.x] = a[i];
    }
}

extern "C" __global__ void add_block_sums(int *out, const int *block_sums, int n)
{
    int b = blockIdx.x;
    if (b == 0) return;
    int k = b * blockDim.x + threadIdx.x;
    if (k >= n) return;
    out[k] = out[k] + block_sums[b - 1];
}
