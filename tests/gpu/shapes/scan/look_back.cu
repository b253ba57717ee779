// a block adds the sums of the blocks before it, one after another
extern "C" __global__ void scan_clear(unsigned *scratch, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        scratch[i] = 0;
}

extern "C" __global__ void scan(const int *in, int *out, unsigned *scratch, int n)
{
    __shared__ unsigned s[256], tile, before;
    unsigned long long *state = (unsigned long long *)(scratch + 4);
    int t = threadIdx.x;
    if (t == 0)
        tile = atomicAdd(&scratch[0], 1u);
    __syncthreads();
    int i = tile * 256 + t;
    s[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int d = 1; d < 256; d *= 2) {
        unsigned left = t >= d ? s[t - d] : 0;
        __syncthreads();
        s[t] += left;
        __syncthreads();
    }
    if (t == 255) {
        atomicExch(&state[tile], (tile == 0 ? 2ull : 1ull) << 32 | s[255]);
        unsigned prefix = 0;
        for (int k = (int)tile - 1; k >= 0; k--) {
            unsigned long long have;
            do
                have = atomicAdd(&state[k], 0ull);
            while (have >> 32 == 0);
            prefix += (unsigned)have;
            if (have >> 32 == 2)
                break;
        }
        if (tile > 0)
            atomicExch(&state[tile], 2ull << 32 | (prefix + s[255]));
        before = prefix;
    }
    __syncthreads();
    if (i < n)
        out[i] = before + s[t];
}
