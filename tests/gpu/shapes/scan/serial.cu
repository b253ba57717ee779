// one thread scans everything
extern "C" __global__ void scan_clear(unsigned *scratch, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        scratch[i] = 0;
}

extern "C" __global__ void scan(const int *in, int *out, unsigned *scratch, int n)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        unsigned sum = 0;
        for (int i = 0; i < n; i++) {
            sum += in[i];
            out[i] = sum;
        }
    }
}
