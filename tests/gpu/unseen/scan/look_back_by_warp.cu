// 32 lanes look back at 32 blocks at a time
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
    if (t < 32) {
        unsigned prefix = 0;
        if (t == 0)
            atomicExch(&state[tile], (tile == 0 ? 2ull : 1ull) << 32 | s[255]);
        for (int last = (int)tile - 1; last >= 0; last -= 32) {
            int k = last - t;
            unsigned long long have = 2ull << 32;
            if (k >= 0)
                do
                    have = atomicAdd(&state[k], 0ull);
                while (have >> 32 == 0);
            unsigned done = __ballot_sync(0xffffffffu, have >> 32 == 2);
            int stop = done ? __ffs(done) - 1 : 31;
            prefix += __reduce_add_sync(0xffffffffu, t <= stop ? (unsigned)have : 0u);
            if (done)
                break;
        }
        if (t == 0) {
            if (tile > 0)
                atomicExch(&state[tile], 2ull << 32 | (prefix + s[255]));
            before = prefix;
        }
    }
    __syncthreads();
    for (int k = 0; k < 8; k++)
        if (first + k < n)
            out[first + k] = before + s[t] - sum + own[k];
}
