// cause: the last cell is set to 0 for the down-sweep before the block sum is taken from it in line 29, so every block sum is 0
// first: wrong_value cleared
// says: Line 28 stores 0 in temp[BLOCK - 1], and line 29 takes it from there.
// asks: What should be in temp[BLOCK - 1] when line 29 takes it?
#define BLOCK 256

// Blelloch scan (up-sweep, down-sweep), then + own element to make it inclusive
extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int temp[BLOCK];
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    int own = i < n ? in[i] : 0;
    int offset = 1;

    temp[t] = own;
    for (int d = BLOCK / 2; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d) {
            int ai = offset * (2 * t + 1) - 1;
            int bi = offset * (2 * t + 2) - 1;
            temp[bi] += temp[ai];
        }
        offset *= 2;
    }

    if (t == 0) {
        temp[BLOCK - 1] = 0;
        block_sums[blockIdx.x] = temp[BLOCK - 1];
    }

    for (int d = 1; d < BLOCK; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (t < d) {
            int ai = offset * (2 * t + 1) - 1;
            int bi = offset * (2 * t + 2) - 1;
            int x = temp[ai];
            temp[ai] = temp[bi];
            temp[bi] += x;
        }
    }
    __syncthreads();
    if (i < n)
        out[i] = temp[t] + own;
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x > 0 && i < n)
        out[i] += block_sums[blockIdx.x - 1];
}
