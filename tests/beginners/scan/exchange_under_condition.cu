// cause: `unsigned *h = src; src = dst; dst = h;` is done inside `if (t >= d)`, so each thread changes its own pointers at its own time: from d = 2 on threads read the buffer that their neighbour has not written
// first: uninitialized shared
// says: out[2] is computed from b[0], which was never written: it is read at line 17 and goes into the result at line 23
// asks: Line 18 first: Which of the arrays does each thread read in the next step, and which one does its neighbour write?
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ unsigned a[BLOCK], b[BLOCK];
    unsigned *src = a, *dst = b;
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    src[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int d = 1; d < BLOCK; d *= 2) {
        if (t >= d) {
            dst[t] = src[t] + src[t - d];
            unsigned *h = src; src = dst; dst = h;
        }
        __syncthreads();
    }
    if (i < n)
        out[i] = src[t];
    if (t == BLOCK - 1)
        block_sums[blockIdx.x] = src[t];
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x > 0 && i < n)
        out[i] = (unsigned)out[i] + (unsigned)block_sums[blockIdx.x - 1];
}
