// cause: blocks of 256 threads take pieces of 255 elements
// first: race_global same_element
// says: one statement stores there from both threads
// asks: Which threads have the same index here?
extern "C" __global__ void scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int a[256];
    int x = threadIdx.x;
    int g = blockIdx.x * 255 + x;
    a[x] = g < n ? in[g] : 0;
    __syncthreads();
    for (int step = 1; step < 256; step *= 2) {
        int v = x >= step ? a[x - step] : 0;
        __syncthreads();
        a[x] += v;
        __syncthreads();
    }
    if (g < n) out[g] = a[x];
    if (x == 255) block_sums[blockIdx.x] = a[255];
}

extern "C" __global__ void add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && blockIdx.x > 0)
        out[i] += block_sums[blockIdx.x - 1];
}
