// cause: after the exchange in line 22 the last step's result is in src, but dst is stored, which lacks the step d = 128
// first: wrong_value steps
// says: this is what the step with distance 64 leaves.
// asks: Is the step with distance 128 made, and is what it leaves what is stored?
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int A[BLOCK], B[BLOCK];
    int *src = A, *dst = B;
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;

    src[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int d = 1; d < BLOCK; d *= 2) {
        if (t >= d)
            dst[t] = src[t] + src[t - d];
        else
            dst[t] = src[t];
        __syncthreads();
        int *tmp = src; src = dst; dst = tmp;
    }

    int result = dst[t];
    if (i < n)
        out[i] = result;
    if (t == BLOCK - 1)
        block_sums[blockIdx.x] = result;
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x > 0 && i < n)
        out[i] += block_sums[blockIdx.x - 1];
}
