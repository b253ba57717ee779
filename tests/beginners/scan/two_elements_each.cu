// cause: a block takes two elements for each thread, and the file does not say so
// first: wrong_value piece
// says: the sums start again every 512 elements, where the lab launches a block for every 256.
// asks: How many elements does a block take, and how does the lab know?
extern "C" __global__ void scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int a[512];
    int t = threadIdx.x;
    int base = blockIdx.x * 512;
    a[2 * t] = base + 2 * t < n ? in[base + 2 * t] : 0;
    a[2 * t + 1] = base + 2 * t + 1 < n ? in[base + 2 * t + 1] : 0;
    __syncthreads();
    if (t == 0)
        for (int k = 1; k < 512; k++) a[k] += a[k - 1];
    __syncthreads();
    if (base + 2 * t < n) out[base + 2 * t] = a[2 * t];
    if (base + 2 * t + 1 < n) out[base + 2 * t + 1] = a[2 * t + 1];
    if (t == 0) block_sums[blockIdx.x] = a[511];
}

extern "C" __global__ void add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && blockIdx.x > 0)
        out[i] += block_sums[blockIdx.x - 1];
}
