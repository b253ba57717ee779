// a block waits for the sum up to the block before it
extern "C" __global__ void scan_clear(unsigned *scratch, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        scratch[i] = 0;
}

extern "C" __global__ void scan(const int *in, int *out, unsigned *scratch, int n)
{
    __shared__ unsigned s[256], tile, before;
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
    if (t == 0) {
        volatile unsigned *mine = &scratch[4 + 4 * tile], *previous = mine - 4;
        unsigned sum = 0;
        if (tile > 0) {
            while (previous[0] == 0)
                ;
            __threadfence();
            sum = previous[1];
        }
        mine[1] = sum + s[255];
        __threadfence();
        mine[0] = 1;
        before = sum;
    }
    __syncthreads();
    if (i < n)
        out[i] = before + s[t];
}
