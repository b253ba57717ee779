// cause: each block fetches its own place of the sums, which is still 0
// first: wrong_value block_constant
// says: block sums were not added.
// asks: When does a block learn the sum of the blocks before it?
extern "C" __global__ void scan_clear(unsigned *scratch, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) scratch[i] = 0u;
}

extern "C" __global__ void scan(const int *in, int *out, unsigned *scratch, int n)
{
    __shared__ unsigned part[256];
    __shared__ unsigned my_tile, base;
    const int lid = threadIdx.x;
    if (lid == 0) my_tile = atomicAdd(scratch, 1u);
    __syncthreads();
    const int idx = my_tile * 256 + lid;
    part[lid] = idx < n ? (unsigned)in[idx] : 0u;
    __syncthreads();
    for (int h = 1; h < 256; h *= 2) {
        unsigned x = lid >= h ? part[lid - h] : 0u;
        __syncthreads();
        part[lid] += x;
        __syncthreads();
    }
    unsigned *ready = scratch + 4;
    unsigned *sums = scratch + 4 + gridDim.x;
    if (lid == 0) {
        unsigned b = 0;
        if (my_tile > 0) {
            while (atomicAdd(&ready[my_tile - 1], 0u) == 0u) { }
            b = atomicAdd(&sums[my_tile], 0u);
        }
        atomicExch(&sums[my_tile], b + part[255]);
        __threadfence();
        atomicExch(&ready[my_tile], 1u);
        base = b;
    }
    __syncthreads();
    if (idx < n) out[idx] = (int)(part[lid] + base);
}
