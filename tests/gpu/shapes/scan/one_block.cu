// one block goes through everything, tile by tile
extern "C" __global__ void scan_clear(unsigned *scratch, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        scratch[i] = 0;
}

extern "C" __global__ void scan(const int *in, int *out, unsigned *scratch, int n)
{
    __shared__ unsigned s[256];
    int t = threadIdx.x;
    unsigned before = 0;
    if (blockIdx.x > 0)
        return;
    for (int first = 0; first < n; first += 256) {
        int i = first + t;
        s[t] = i < n ? in[i] : 0;
        __syncthreads();
        for (int d = 1; d < 256; d *= 2) {
            unsigned left = t >= d ? s[t - d] : 0;
            __syncthreads();
            s[t] += left;
            __syncthreads();
        }
        if (i < n)
            out[i] = before + s[t];
        before += s[255];
        __syncthreads();
    }
}
