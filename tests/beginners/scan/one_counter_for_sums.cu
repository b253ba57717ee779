// cause: each block adds its sum to one counter and takes what was in it, in whatever order blocks come
// first: order_dependent
// says: A GPU guarantees no order.
// asks: What may run in any order, and what may not?
extern "C" __global__ void scan_clear(unsigned *scratch, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) scratch[i] = 0;
}

extern "C" __global__ void scan(const int *in, int *out, unsigned *scratch, int n)
{
    __shared__ unsigned a[256];
    __shared__ unsigned carry;
    int t = threadIdx.x;
    int g = blockIdx.x * 256 + t;
    a[t] = g < n ? in[g] : 0;
    __syncthreads();
    for (int d = 1; d < 256; d *= 2) {
        unsigned x = t >= d ? a[t - d] : 0;
        __syncthreads();
        a[t] += x;
        __syncthreads();
    }
    if (t == 0) carry = atomicAdd(&scratch[0], a[255]);
    __syncthreads();
    if (g < n) out[g] = a[t] + carry;
}
