// cause: the piece is taken by blockIdx.x, and blocks start in any order
// first: deadlock
// says: cannot begin until a running one ends: blocks run in no defined order
// asks: Which block waits for which? Is the one it waits for running at all?
#define BLOCK 256

extern "C" __global__ void scan_clear(unsigned *scratch, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) scratch[i] = 0u;
}

extern "C" __global__ void __launch_bounds__(BLOCK) scan(const int *in, int *out, unsigned *scratch, int n)
{
    __shared__ unsigned s[BLOCK];
    __shared__ unsigned offset;
    int t = threadIdx.x;
    int b = blockIdx.x;
    int i = b * BLOCK + t;
    unsigned *my = &scratch[4 + 4 * b];

    s[t] = i < n ? (unsigned)in[i] : 0u;
    __syncthreads();
    for (int d = 1; d < BLOCK; d *= 2) {
        unsigned v = t >= d ? s[t - d] : 0u;
        __syncthreads();
        s[t] += v;
        __syncthreads();
    }
    if (t == 0) {
        offset = 0u;
        if (b > 0) {
            unsigned *prev = my - 4;
            while (atomicCAS(&prev[0], 1u, 1u) != 1u)
                ;
            __threadfence();
            offset = prev[1];
        }
        my[1] = offset + s[BLOCK - 1];
        __threadfence();
        atomicExch(&my[0], 1u);
    }
    __syncthreads();
    if (i < n) out[i] = (int)(offset + s[t]);
}
