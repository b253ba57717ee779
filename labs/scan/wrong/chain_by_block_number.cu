// expect: deadlock|fuel - second plan: waits for the block before it, which need not have started yet
extern "C" __global__ void scan_clear(unsigned *scratch, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) {
        scratch[i] = 0;
    }
}

// scratch[4 + 4*tile] is the flag and scratch[5 + 4*tile] the sum up to and including the tile.
extern "C" __global__ void scan(const int *in, int *out, unsigned *scratch, int n)
{
    __shared__ unsigned s[256];
    __shared__ unsigned before;
    unsigned tile = blockIdx.x;
    int t = threadIdx.x;
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
        volatile unsigned *mine = &scratch[4 + 4 * tile];
        volatile unsigned *previous = mine - 4;
        unsigned sum = 0;
        if (tile > 0) {
            while (previous[0] == 0) {
            }
            __threadfence();
            sum = previous[1];
        }
        mine[1] = sum + s[255];
        __threadfence();
        mine[0] = 1;
        before = sum;
    }
    __syncthreads();
    if (i < n) {
        out[i] = before + s[t];
    }
}
