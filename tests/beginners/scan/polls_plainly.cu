// cause: the flag of the block before is read plainly in a loop
// first: race_mixed polls
// says: The loop in line 44 waits for a value that it reads plainly, which the compiler may do once only.
// asks: How often does the loop really read scratch from memory?
#define BLOCK 256

__device__ int block_scan(int v, int *cells)
{
    int tid = threadIdx.x;
    cells[tid] = v;
    __syncthreads();
    for (int step = 1; step < BLOCK; step *= 2) {
        int left = tid >= step ? cells[tid - step] : 0;
        __syncthreads();
        cells[tid] += left;
        __syncthreads();
    }
    return cells[tid];
}

extern "C" __global__ void scan_clear(unsigned *scratch, int count)
{
    for (int gid = blockIdx.x * blockDim.x + threadIdx.x; gid < count; gid += gridDim.x * blockDim.x)
        scratch[gid] = 0u;
}

extern "C" __global__ void __launch_bounds__(BLOCK) scan(const int *in, int *out, unsigned *scratch, int n)
{
    __shared__ int cells[BLOCK];
    __shared__ unsigned drawn;
    __shared__ unsigned carry;

    if (threadIdx.x == 0) drawn = atomicAdd(&scratch[0], 1u);
    __syncthreads();
    unsigned b = drawn;
    int gid = b * BLOCK + threadIdx.x;
    int sum = block_scan(gid < n ? in[gid] : 0, cells);
    unsigned *total = scratch + 4;
    unsigned *done = scratch + 4 + gridDim.x;

    if (threadIdx.x == BLOCK - 1) {
        unsigned p = 0;
        if (b > 0) {
            while (done[b - 1] == 0) { }
            __threadfence();
            p = atomicAdd(&total[b - 1], 0u);
        }
        atomicExch(&total[b], p + (unsigned)sum);
        __threadfence();
        atomicExch(&done[b], 1u);
        carry = p;
    }
    __syncthreads();
    if (gid < n) out[gid] = (int)(carry + (unsigned)sum);
}
