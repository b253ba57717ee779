// cause: `sum += (unsigned)w;` followed only by `p--;`: the look-back goes on after it has met a tile whose word holds the sum of all tiles up to it (ALL), so earlier tiles are counted again from tile 2 on
// first: wrong_value multiple
// says: Besides what belongs there, out[512] contains in[0..255].
// asks: Where is it counted again: in another line, in another turn of a loop, or in another thread?
typedef unsigned long long u64;
const u64 OWN = 1, ALL = 2;

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
    u64 *state = (u64 *)(scratch + 4);      // two of these for each block, the first is used
    if (t == 0)
        tile = atomicAdd(&scratch[0], 1u);
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
        const unsigned own = s[255];
        unsigned sum = 0;
        if (tile > 0)
            atomicExch(&state[2 * tile], (OWN << 32) | own);
        int p = (int)tile - 1;
        while (p >= 0) {
            const u64 w = atomicAdd(&state[2 * p], 0ull);
            if ((w >> 32) == 0)
                continue;
            sum += (unsigned)w;
            p--;
        }
        atomicExch(&state[2 * tile], (ALL << 32) | (unsigned)(sum + own));
        before = sum;
    }
    __syncthreads();
    if (i < n)
        out[i] = s[t] + before;
}
