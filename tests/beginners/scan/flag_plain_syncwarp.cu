// cause: the flag is polled plainly, with a __syncwarp in the loop
// first: race_global polls
// says: The loop in line 32 waits for a value that it reads plainly: neither atomically nor through volatile.
// asks: How often does the loop really read scratch from memory?
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
            while (ready[my_tile - 1] != 1u) __syncwarp();
            b = sums[my_tile - 1];
        }
        sums[my_tile] = b + part[255];
        __threadfence();
        ready[my_tile] = 1u;
        base = b;
    }
    __syncthreads();
    if (idx < n) out[idx] = (int)(part[lid] + base);
}
