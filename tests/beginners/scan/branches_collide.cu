// cause: one branch stores into the cells of the other one
// first: race_shared same_element
// says: the two branches with lines 15 and 16 store there
// asks: Which threads have the same index here?
extern "C" __global__ void scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int a[512];
    int x = threadIdx.x;
    int g = blockIdx.x * 256 + x;
    a[x] = g < n ? in[g] : 0;
    __syncthreads();
    int cur = 0;
    for (int step = 1; step < 256; step *= 2) {
        int nxt = 256 - cur;
        if (x >= step) a[nxt + x - step] = a[cur + x] + a[cur + x - step];
        else a[nxt + x] = a[cur + x];
        cur = nxt;
        __syncthreads();
    }
    if (g < n) out[g] = a[cur + x];
    if (x == 255) block_sums[blockIdx.x] = a[cur + 255];
}

extern "C" __global__ void add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && blockIdx.x > 0)
        out[i] += block_sums[blockIdx.x - 1];
}
