// cause: `__shared__ unsigned cells[BLOCK];` in get() is another array than the one of the same name in put(): what get reads was never written
// first: uninitialized shared
// says: block_sums[0] is computed from cells[0], which was never written: it is read at line 16 and goes into the result at line 35
// asks: Line 9 first: How many arrays of this name are there, and which function uses which of them?
#define BLOCK 256

__device__ void put(int t, unsigned value)
{
    __shared__ unsigned cells[BLOCK];
    cells[t] = value;
}

__device__ unsigned get(int t)
{
    __shared__ unsigned cells[BLOCK];
    return t >= 0 ? cells[t] : 0;
}

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    unsigned sum = i < n ? in[i] : 0;
    put(t, sum);
    __syncthreads();
    for (int d = 1; d < BLOCK; d *= 2) {
        sum += get(t - d);
        __syncthreads();
        put(t, sum);
        __syncthreads();
    }
    if (i < n)
        out[i] = sum;
    if (t == BLOCK - 1)
        block_sums[blockIdx.x] = sum;
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n) {
    int gid = threadIdx.x + blockIdx.x * BLOCK;
    unsigned carry = blockIdx.x ? (unsigned)block_sums[blockIdx.x - 1] : 0u;
    if (gid < n) {
        out[gid] = (int)(out[gid] + carry);
    }
}
