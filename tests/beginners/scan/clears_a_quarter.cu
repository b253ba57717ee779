// cause: `if (k < count / 4)` in scan_clear takes count for bytes, but it counts words: three quarters of scratch keep their rubbish
// first: never_written left
// says: Elements 2..7 of scratch, the last ones, were never written.
// asks: Which condition makes the thread in the message leave, and should it?
// count is the size of scratch, a word has 4 bytes
extern "C" __global__ void scan_clear(unsigned *scratch, int count)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < count / 4)
        scratch[k] = 0;
}

extern "C" __global__ void scan(const int *in, int *out, unsigned *scratch, int n)
{
    __shared__ unsigned s[256];
    __shared__ unsigned tile;
    __shared__ unsigned before;
    const int t = threadIdx.x;
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
    if (t == 255) {
        unsigned sum = 0;
        unsigned *mine = scratch + 4 + 4 * tile;
        if (tile > 0) {
            while (atomicAdd(mine - 4, 0u) != 1u) { }
            __threadfence();
            sum = atomicAdd(mine - 3, 0u);
        }
        atomicExch(mine + 1, sum + s[255]);
        __threadfence();
        atomicExch(mine, 1u);
        before = sum;
    }
    __syncthreads();
    if (i < n)
        out[i] = s[t] + before;
}
