// cause: bit 31 of the published sum is the ready flag, and the reader masks it off
// first: wrong_value upper_bits
// says: Every wrong element is off by 2^31: the lower 31 bits are right, and the highest one is not.
// asks: Which line changes the highest bit alone, or uses it for something else than the value?
#define BLOCK 256
#define READY 0x80000000u

extern "C" __global__ void scan_clear(unsigned *scratch, int count)
{
    unsigned id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < count) scratch[id] = 0;
}

__device__ unsigned warp_prefix(unsigned v)
{
    for (int d = 1; d < 32; d *= 2) {
        unsigned l = __shfl_up_sync(0xffffffffu, v, d);
        if (threadIdx.x % 32 >= d) v += l;
    }
    return v;
}

// value and flag in one word, so no fence is needed
extern "C" __global__ void __launch_bounds__(BLOCK) scan(const int *in, int *out, unsigned *scratch, int n)
{
    __shared__ unsigned ticket, before;
    __shared__ unsigned total[BLOCK / 32];
    if (threadIdx.x == 0) ticket = atomicAdd(scratch, 1u);
    __syncthreads();
    int i = ticket * BLOCK + threadIdx.x;
    unsigned v = warp_prefix(i < n ? in[i] : 0);
    if (threadIdx.x % 32 == 31) total[threadIdx.x / 32] = v;
    __syncthreads();
    for (int w = 0; w < threadIdx.x / 32; w++) v += total[w];

    if (threadIdx.x == BLOCK - 1) {
        unsigned p = 0;
        if (ticket > 0) {
            do {
                p = atomicAdd(&scratch[4 * ticket], 0u);
            } while ((p & READY) == 0);
            p &= ~READY;
        }
        atomicExch(&scratch[4 * ticket + 4], (p + v) | READY);
        before = p;
    }
    __syncthreads();
    if (i < n) out[i] = v + before;
}
