// cause: The array is not declared __shared__, so each thread has one of its own and never sees the others' cells (line 9).
// first: not_shared
// says: data is declared without __shared__, so each thread has an array of its own, and what one thread stores in its data no other thread can read.
// asks: Which threads store into this array, and which ones read what was stored?
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    int data[BLOCK];
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    data[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int d = 1; d < BLOCK; d *= 2) {
        int y = 0;
        if (t >= d) y = data[t - d];
        __syncthreads();
        data[t] += y;
        __syncthreads();
    }
    if (i < n) out[i] = data[t];
    if (t == BLOCK - 1) block_sums[blockIdx.x] = data[t];
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n && blockIdx.x > 0) out[i] += block_sums[blockIdx.x - 1];
}
