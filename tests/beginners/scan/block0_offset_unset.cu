// cause: block 0 hands on a shared variable without a value
// first: uninitialized shared
// says: offset[0], which was never written, is read at line 32 and goes into an atomic at line 32
// asks: Which cells of offset did no thread of the block fill?
extern "C" __global__ void scan_clear(unsigned *scratch, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) scratch[i] = 0;
}

extern "C" __global__ void scan(const int *in, int *out, unsigned *scratch, int n)
{
    __shared__ unsigned acc[256];
    __shared__ unsigned turn, offset;
    int p = threadIdx.x;
    if (p == 0) turn = atomicAdd(&scratch[0], 1u);
    __syncthreads();
    int q = turn * 256 + p;
    acc[p] = q < n ? in[q] : 0;
    __syncthreads();
    for (int d = 1; d < 256; d *= 2) {
        unsigned x = p >= d ? acc[p - d] : 0;
        __syncthreads();
        acc[p] += x;
        __syncthreads();
    }
    if (p == 255 && turn > 0) {
        while (atomicAdd(&scratch[4 * turn], 0u) == 0) { }
        offset = atomicAdd(&scratch[1 + 4 * turn], 0u);
    }
    if (p == 255) {
        atomicExch(&scratch[5 + 4 * turn], offset + acc[255]);
        __threadfence();
        atomicExch(&scratch[4 + 4 * turn], 1u);
    }
    __syncthreads();
    if (q < n) out[q] = acc[p] + offset;
}
