// cause: the loop stops before d = 128, so every sum reaches back over 128 elements only; block_sums and the elements from 128 on are wrong
// first: wrong_value steps
// says: this is what the step with distance 64 leaves.
// asks: Is the step with distance 128 made, and is what it leaves what is stored?
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int data[BLOCK];
    int t = threadIdx.x, i = blockIdx.x * BLOCK + t;
    data[t] = (i < n) ? in[i] : 0;
    __syncthreads();

    int d;
    for (d = 1; d < BLOCK / 2; d *= 2) {
        int neighbour = (t >= d) ? data[t - d] : 0;
        __syncthreads();
        data[t] += neighbour;
        __syncthreads();
    }

    if (i < n)
        out[i] = data[t];
    if (t == BLOCK - 1)
        block_sums[blockIdx.x] = data[t];
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x > 0 && i < n)
        out[i] += block_sums[blockIdx.x - 1];
}
