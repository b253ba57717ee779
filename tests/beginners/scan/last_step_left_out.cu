// cause: The step d = 128 is left out (the loop ends at BLOCK / 2), so elements from 128 on lack the sum of what is more than 127 to the left (line 17).
// first: wrong_value steps
// says: The loop in line 17 ends before this step: the last distance that it takes is 64.
// asks: Is the step with distance 128 made, and is what it leaves what is stored?
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int sum[BLOCK];
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;

    sum[t] = i < n ? in[i] : 0;
    __syncthreads();

    // pairs, then pairs of pairs, ...
    for (int d = 1; d < BLOCK / 2; d *= 2) {
        int val = 0;
        if (t >= d) val = sum[t - d];
        __syncthreads();
        sum[t] = sum[t] + val;
        __syncthreads();
    }

    if (i < n) out[i] = sum[t];
    if (t == BLOCK - 1) block_sums[blockIdx.x] = sum[BLOCK - 1];
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (blockIdx.x == 0) return;
    if (i < n) out[i] += block_sums[blockIdx.x - 1];
}
