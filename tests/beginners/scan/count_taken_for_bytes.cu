// cause: count is a number of words, not of bytes, so only a quarter of scratch is cleared and the flags of most blocks hold rubbish
// first: never_written left
// says: The last line that thread (2,0,0) ran, whose element would be scratch[2], is line 11.
// asks: Which condition makes the thread in the message leave, and should it?
#define BLOCK 256

extern "C" __global__ void scan_clear(unsigned *scratch, int count)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    int words = count / sizeof(unsigned);
    if (k < words)
        scratch[k] = 0;
}

extern "C" __global__ void __launch_bounds__(BLOCK) scan(const int *in, int *out, unsigned *scratch, int n)
{
    __shared__ unsigned s[BLOCK];
    __shared__ unsigned ticket;
    __shared__ unsigned carry;
    int t = threadIdx.x;

    if (t == 0)
        ticket = atomicAdd(scratch, 1);
    __syncthreads();
    int tile = ticket;
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
