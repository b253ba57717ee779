// cause: threadIdx.x > 0 is asked, not blockIdx.x > 0
// first: out_of_bounds negative
// says: read block_sums[4294967295], but block_sums has 1 element (0..0)
// asks: The index is below 0. Which part of its formula is negative in this thread?
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int data[BLOCK];
    int local = threadIdx.x;
    int global = blockIdx.x * blockDim.x + threadIdx.x;
    data[local] = global < n ? in[global] : 0;
    __syncthreads();

    for (int jump = 1; jump < BLOCK; jump *= 2) {
        int value = data[local];
        if (local >= jump)
            value += data[local - jump];
        __syncthreads();
        data[local] = value;
        __syncthreads();
    }

    if (global < n)
        out[global] = data[local];
    if (local == blockDim.x - 1)
        block_sums[blockIdx.x] = data[local];
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    int global = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x > 0 && global < n) {
        out[global] += block_sums[blockIdx.x - 1];
    }
}
