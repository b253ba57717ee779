// cause: the tile is blockIdx.x and not a ticket, so a block may wait (line 35) for a block that has not started, a deadlock when blocks start in another order
// first: deadlock
// says: the loop at line 35 waits for another block, but 2 blocks cannot begin until a running one ends
// asks: Is the one it waits for running at all?
#define BLOCK 256

extern "C" __global__ void scan_clear(unsigned *scratch, int count)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < count)
        scratch[k] = 0u;
}

extern "C" __global__ void __launch_bounds__(BLOCK) scan(const int *in, int *out, unsigned *scratch, int n)
{
    __shared__ unsigned s[BLOCK];
    __shared__ unsigned carry;
    int t = threadIdx.x;
    int tile = blockIdx.x;
    int k = tile * BLOCK + t;

    s[t] = k < n ? in[k] : 0;
    __syncthreads();
    for (int d = 1; d < BLOCK; d *= 2) {
        unsigned x = t >= d ? s[t - d] : 0;
        __syncthreads();
        s[t] += x;
        __syncthreads();
    }

    if (t == 0) {
        unsigned c = 0;
        if (tile > 0) {
            // wait until the block to the left is ready
            while (atomicAdd(&scratch[4 * tile], 0) == 0) { }
            __threadfence();
            c = atomicAdd(&scratch[4 * tile + 1], 0);
        }
        atomicExch(&scratch[4 * tile + 5], c + s[BLOCK - 1]);
        __threadfence();
        atomicExch(&scratch[4 * tile + 4], 1);
        carry = c;
    }
    __syncthreads();
    if (k < n)
        out[k] = s[t] + carry;
}
