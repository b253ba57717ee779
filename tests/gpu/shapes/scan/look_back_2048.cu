// the same with eight elements per thread
extern "C" __constant__ int scan_items = 2048;

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
    unsigned own[8], sum = 0;
    int first = tile * 2048 + 8 * t;
    for (int k = 0; k < 8; k++) {
        sum += first + k < n ? in[first + k] : 0;
        own[k] = sum;
    }
    s[t] = sum;
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
    for (int k = 0; k < 8; k++)
        if (first + k < n)
            out[first + k] = before + s[t] - sum + own[k];
}
