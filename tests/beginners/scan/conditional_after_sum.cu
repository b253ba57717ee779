// cause: `int sum = cells[t] + t >= d ? cells[t - d] : 0;`: + and >= bind tighter than ?:, so it is (cells[t] + t >= d) ? ... : 0; the cell itself is lost, and threads below d read in front of the array
// first: out_of_bounds negative
// says: read cells[-1], but cells has 256 elements (0..255)
// asks: Which part of its formula is negative in this thread?
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int cells[BLOCK];
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    cells[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int d = 1; d < BLOCK; d *= 2) {
        int sum = cells[t] + t >= d ? cells[t - d] : 0;
        __syncthreads();
        cells[t] = sum;
        __syncthreads();
    }
    if (i < n)
        out[i] = cells[t];
    if (t == BLOCK - 1)
        block_sums[blockIdx.x] = cells[t];
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n) {
    int gid = threadIdx.x + blockIdx.x * BLOCK;
    unsigned carry = blockIdx.x ? (unsigned)block_sums[blockIdx.x - 1] : 0u;
    if (gid < n) {
        out[gid] = (int)(out[gid] + carry);
    }
}
