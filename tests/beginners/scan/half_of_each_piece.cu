// cause: add_block_sums covers 512 elements per block as scan_blocks does, but adds to the first 256 only
// first: wrong_value items
// says: a block of 256 for each 512 elements, as line 6 asks.
// asks: Which thread should take out[768]?
extern "C" __constant__ int scan_blocks_items = 512;
extern "C" __constant__ int add_block_sums_items = 512;

extern "C" __global__ void scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int s[256];
    int t = threadIdx.x;
    int i = blockIdx.x * 512 + 2 * t;
    int a = i < n ? in[i] : 0, b = i + 1 < n ? in[i + 1] : 0;
    s[t] = a + b;
    __syncthreads();
    for (int d = 1; d < 256; d *= 2) {
        int left = t >= d ? s[t - d] : 0;
        __syncthreads();
        s[t] += left;
        __syncthreads();
    }
    if (i < n)
        out[i] = s[t] - b;
    if (i + 1 < n)
        out[i + 1] = s[t];
    if (t == 255)
        block_sums[blockIdx.x] = s[t];
}

extern "C" __global__ void add_block_sums(int *out, const int *block_sums, int n)
{
    int b = blockIdx.x, i = b * 512 + threadIdx.x;
    if (b == 0 || i >= n)
        return;
    out[i] += block_sums[b - 1];
}
