// expect: at most 90 - thread 0 scans the staged piece alone; the others compute what a store that never runs would need
extern "C" __global__ void scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int s[256], sink[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    s[t] = i < n ? in[i] : 0;
    __syncthreads();
    if (t == 0) {
        for (int k = 1; k < 256; k++) {
            s[k] += s[k - 1];
        }
    } else {
        float x = (float)t;
        for (int k = 0; k < 100; k++) {
            x = x * 1.0001f + 0.5f;
            sink[t] = k ^ t; // nobody reads it
        }
        if (x == 12345.678f) {
            out[0] = sink[255 - t];
        }
    }
    __syncthreads();
    if (i < n) {
        out[i] = s[t];
    }
    if (t == 255) {
        block_sums[blockIdx.x] = s[255];
    }
}

extern "C" __global__ void add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x > 0 && i < n) {
        out[i] += block_sums[blockIdx.x - 1];
    }
}
