// one warp scans everything with shuffles
extern "C" __global__ void scan_clear(unsigned *scratch, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        scratch[i] = 0;
}

extern "C" __global__ void scan(const int *in, int *out, unsigned *scratch, int n)
{
    unsigned before = 0;
    if (blockIdx.x > 0 || threadIdx.x >= 32)
        return;
    for (int first = 0; first < n; first += 32) {
        int i = first + threadIdx.x;
        unsigned sum = i < n ? in[i] : 0;
        for (int d = 1; d < 32; d *= 2) {
            unsigned left = __shfl_up_sync(0xffffffffu, sum, d);
            if (threadIdx.x >= d)
                sum += left;
        }
        sum += before;
        if (i < n)
            out[i] = sum;
        before = __shfl_sync(0xffffffffu, sum, 31);
    }
}
