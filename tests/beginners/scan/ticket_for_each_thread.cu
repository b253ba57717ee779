// cause: `const unsigned tile = atomicAdd(&scratch[0], 1u);` is executed by each thread, so the 256 threads of a block get different tickets instead of one tile: elements are neither read nor written
// first: out_of_bounds
// says: atomic on scratch[1024], but scratch has 12 elements (0..11)
// asks: Line 17 first: How many threads run this line, and how many numbers should be drawn for a block?
extern "C" __global__ void scan_clear(unsigned *scratch, int count)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < count)
        scratch[k] = 0;
}

extern "C" __global__ void __launch_bounds__(256) scan(const int *in, int *out, unsigned *scratch, int n)
{
    __shared__ unsigned s[256];
    __shared__ unsigned before;
    const int t = threadIdx.x;
    const unsigned tile = atomicAdd(&scratch[0], 1u);
    const int i = (int)tile * 256 + t;
    s[t] = i < n ? (unsigned)in[i] : 0u;
    __syncthreads();
    for (int d = 1; d < 256; d *= 2) {
        unsigned left = t >= d ? s[t - d] : 0u;
        __syncthreads();
        s[t] += left;
        __syncthreads();
    }
    if (t == 0) {
        unsigned sum = 0;
        unsigned *mine = scratch + 4 + 4 * tile;
        if (tile > 0) {
            while (atomicAdd(mine - 4, 0u) == 0u) { }
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
