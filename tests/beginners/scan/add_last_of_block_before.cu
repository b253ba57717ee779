// cause: takes the sum of the blocks before from out, which other blocks change
// first: race_global chain
// says: one thread needs what the other replaces
// asks: Which thread stores the element that this line reads besides its own, and is it done by then?
extern "C" __global__ void scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int buf[256];
    int me = threadIdx.x;
    int pos = blockIdx.x * blockDim.x + me;
    buf[me] = pos < n ? in[pos] : 0;
    __syncthreads();
    for (int off = 1; off < 256; off <<= 1) {
        int add = 0;
        if (me >= off) add = buf[me - off];
        __syncthreads();
        buf[me] += add;
        __syncthreads();
    }
    if (pos < n) out[pos] = buf[me];
    if (me == 255) block_sums[blockIdx.x] = buf[255];
}

extern "C" __global__ void add_block_sums(int *out, const int *block_sums, int n)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x;
    if (g < n && blockIdx.x > 0)
        out[g] += out[blockIdx.x * blockDim.x - 1];
}
