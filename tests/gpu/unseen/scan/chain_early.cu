// a block waits for the block before it, and only then loads
extern "C" __global__ void scan_clear(unsigned *scratch, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        scratch[i] = 0;
}

extern "C" __global__ void scan(const int *in, int *out, unsigned *scratch, int n)
{
    __shared__ unsigned s[256], tile, before;
    volatile unsigned *flags = scratch + 4;
    int t = threadIdx.x;
    if (t == 0)
        tile = atomicAdd(&scratch[0], 1u);
    __syncthreads();
    if (t == 0) {
        if (tile > 0)
            while (flags[4 * tile - 4] == 0)
                ;
        __threadfence();
        before = tile > 0 ? flags[4 * tile - 3] : 0;
    }
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
    if (t == 0) {
        flags[4 * tile + 1] = before + s[255];
        __threadfence();
        flags[4 * tile] = 1;
    }
    if (i < n)
        out[i] = before + s[t];
}
