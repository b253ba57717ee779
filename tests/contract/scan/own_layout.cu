// page: scan.md
// says: What the words mean is up to you
// expect: pass
// The ticket is the last word; the sums up to each block and their flags are at the end, too.
extern "C" __global__ void scan_clear(unsigned *scratch, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (gridDim.x != (count + 255) / 256 || count % 4 != 0 || (size_t)scratch % 256 != 0) {
        __trap();
    }
    if (i < count) {
        scratch[i] = 0;
    }
}

extern "C" __global__ void scan(const int *in, int *out, unsigned *scratch, int n)
{
    __shared__ unsigned cells[256], tile, before;
    unsigned *last = scratch + 4 + 4 * gridDim.x - 1;
    int t = threadIdx.x;
    if (t == 0) {
        tile = atomicAdd(last, 1);
    }
    __syncthreads();
    int i = tile * 256 + t;
    cells[t] = i < n ? in[i] : 0;
    for (int d = 1; d < 256; d *= 2) {
        __syncthreads();
        unsigned left = t >= d ? cells[t - d] : 0;
        __syncthreads();
        cells[t] += left;
    }
    if (t == 255) {
        unsigned sum = 0;
        if (tile > 0) {
            while (atomicAdd(last - 2 * tile, 0) == 0) {
            }
            __threadfence();
            sum = atomicAdd(last - 2 * tile + 1, 0);
        }
        before = sum;
        atomicExch(last - 2 * tile - 1, sum + cells[t]);
        __threadfence();
        atomicExch(last - 2 * tile - 2, 1);
    }
    __syncthreads();
    if (i < n) {
        out[i] = before + cells[t];
    }
}
