// cause: `atomicExch(&scratch[4 + tile], (sum + s[255]) | READY);` uses the top bit of the sum itself as the flag, so it is lost: sums that are negative or reach 2^31 arrive at the next tile without it
// first: wrong_value upper_bits
// says: Every wrong element is off by 2^31: the lower 31 bits are right, and the highest one is not.
// asks: Which line changes the highest bit alone, or uses it for something else than the value?
#define READY 0x80000000u

extern "C" __global__ void scan_clear(unsigned *scratch, int count)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < count)
        scratch[k] = 0;
}

extern "C" __global__ void __launch_bounds__(256) scan(const int *in, int *out, unsigned *scratch, int n)
{
    __shared__ unsigned s[256];
    __shared__ unsigned tile, before;
    const int t = threadIdx.x;
    if (t == 0) {
        tile = atomicAdd(&scratch[0], 1u);
    }
    __syncthreads();
    const int i = (int)tile * 256 + t;
    s[t] = i < n ? (unsigned)in[i] : 0u;
    __syncthreads();
    for (int d = 1; d < 256; d *= 2) {
        unsigned left = t >= d ? s[t - d] : 0u;
        __syncthreads();
        s[t] += left;
        __syncthreads();
    }
    if (t == 0) {
        unsigned sum = 0;
        if (tile > 0) {
            unsigned word;
            do {
                word = atomicAdd(&scratch[4 + tile - 1], 0u);
            } while (!(word & READY));
            sum = word & ~READY;
        }
        // value and flag in one word: no fence needed
        atomicExch(&scratch[4 + tile], (sum + s[255]) | READY);
        before = sum;
    }
    __syncthreads();
    if (i < n) {
        out[i] = s[t] + before;
    }
}
