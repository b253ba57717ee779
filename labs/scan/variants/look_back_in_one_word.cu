// expect: pass - second plan: value and status of a block in one 64-bit word that is only touched atomically
#define BLOCK 256
extern "C" __global__ void scan_clear(unsigned *scratch, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) scratch[i] = 0;
}
__device__ int scan_block(int v, int *tile)
{
    int t = threadIdx.x;
    tile[t] = v;
    __syncthreads();
    for (int d = 1; d < BLOCK; d *= 2) {
        int left = t >= d ? tile[t - d] : 0;
        __syncthreads();
        tile[t] += left;
        __syncthreads();
    }
    return tile[t];
}
extern "C" __global__ void scan(const int *in, int *out, unsigned *scratch, int n)
{
    __shared__ int tile[BLOCK];
    __shared__ unsigned block, before;
    unsigned long long *state = (unsigned long long *)(scratch + 4);
    if (threadIdx.x == 0)
        block = atomicAdd(scratch, 1);
    __syncthreads();
    int i = block * BLOCK + threadIdx.x;
    int sum = scan_block(i < n ? in[i] : 0, tile);
    if (threadIdx.x == BLOCK - 1) {
        unsigned long long have = block == 0 ? 2ull : 1ull;
        atomicExch(&state[block], have << 32 | (unsigned)sum);
        unsigned prefix = 0;
        for (int k = (int)block - 1; k >= 0; k--) {
            unsigned long long s;
            do
                s = atomicAdd(&state[k], 0ull);
            while (s >> 32 == 0);
            prefix += (unsigned)s;
            if (s >> 32 == 2)
                break;
        }
        if (block)
            atomicExch(&state[block], 2ull << 32 | (unsigned)(prefix + sum));
        before = prefix;
    }
    __syncthreads();
    if (i < n)
        out[i] = sum + before;
}
