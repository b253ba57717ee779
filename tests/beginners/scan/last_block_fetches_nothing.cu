// cause: the last block does not fetch the sum of the blocks before
// first: wrong_value some_blocks
// says: lacks the sum of the blocks before it; the other
// asks: What is different about block 3?
extern "C" __global__ void scan_clear(unsigned *scratch, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) scratch[i] = 0;
}

extern "C" __global__ void scan(const int *in, int *out, unsigned *scratch, int n)
{
    __shared__ unsigned a[256];
    __shared__ unsigned tile, carry;
    int t = threadIdx.x;
    if (t == 0) { tile = atomicAdd(&scratch[0], 1u); carry = 0; }
    __syncthreads();
    int g = tile * 256 + t;
    a[t] = g < n ? in[g] : 0;
    __syncthreads();
    for (int d = 1; d < 256; d *= 2) {
        unsigned x = t >= d ? a[t - d] : 0;
        __syncthreads();
        a[t] += x;
        __syncthreads();
    }
    volatile unsigned *flag = scratch + 4, *sum = scratch + 4 + gridDim.x;
    if (t == 0 && tile > 0 && tile < gridDim.x - 1) {
        while (flag[tile - 1] == 0) { }
        __threadfence();
        carry = sum[tile - 1];
    }
    if (t == 0) {
        sum[tile] = carry + a[255];
        __threadfence();
        flag[tile] = 1;
    }
    __syncthreads();
    if (g < n) out[g] = a[t] + carry;
}
