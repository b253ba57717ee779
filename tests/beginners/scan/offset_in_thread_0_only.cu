// cause: offset is a variable of each thread, but only thread 0 loads it; the other 255 threads of the block add 0
// first: wrong_value own_variable
// says: Each thread has its own variable offset, and line 36, which sets it, depends on the condition in line 35
// asks: From where should this thread get the value?
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int vals[BLOCK];
    int t = threadIdx.x;
    int g = blockIdx.x * BLOCK + t;
    vals[t] = g < n ? in[g] : 0;
    __syncthreads();

    for (int gap = 1; gap < BLOCK; gap *= 2) {
        int add = 0;
        if (t - gap >= 0)
            add = vals[t - gap];
        __syncthreads();
        vals[t] += add;
        __syncthreads();
    }

    if (g < n)
        out[g] = vals[t];
    if (t == 0)
        block_sums[blockIdx.x] = vals[BLOCK - 1];
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    int g = blockIdx.x * BLOCK + threadIdx.x;
    int offset = 0;
    // one thread reads, that is enough for the whole block
    if (threadIdx.x == 0 && blockIdx.x > 0)
        offset = block_sums[blockIdx.x - 1];
    __syncthreads();
    if (g < n)
        out[g] += offset;
}
