// expect: race_global|uninitialized - reads other blocks' sums after __syncthreads, which only waits for its own block
extern "C" __global__ void scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int s[256];
    int t = threadIdx.x;
    int i = blockIdx.x * 256 + t;
    s[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int d = 1; d < 256; d *= 2) {
        int left = t >= d ? s[t - d] : 0;
        __syncthreads();
        s[t] += left;
        __syncthreads();
    }
    if (t == 255) {
        block_sums[blockIdx.x] = s[255];
    }
    __syncthreads();
    int before = 0;
    for (int b = 0; b < blockIdx.x; b++) {
        before += block_sums[b];
    }
    if (i < n) {
        out[i] = before + s[t];
    }
}

extern "C" __global__ void add_block_sums(int *out, const int *block_sums, int n)
{
    // nothing left to do: scan_blocks has added them
}
