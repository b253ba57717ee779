// cause: the loop over the blocks before leaves out block 0
// first: wrong_value other_blocks
// says: It needs the sum of blocks 0..1.
// asks: Whose sum does a block fetch, and does that hold the sum of the blocks before, too?
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
    if (p == 0) {
        atomicExch(&scratch[5 + 4 * turn], acc[255]);
        __threadfence();
        atomicExch(&scratch[4 + 4 * turn], 1u);
        offset = 0;
        for (int b = (int)turn - 1; b > 0; b--) {
            while (atomicAdd(&scratch[4 + 4 * b], 0u) == 0) { }
            offset += atomicAdd(&scratch[5 + 4 * b], 0u);
        }
    }
    __syncthreads();
    if (q < n) out[q] = acc[p] + offset;
}
