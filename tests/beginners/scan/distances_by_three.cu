// cause: the distances go 1, 3, 9, so elements are left out
// first: wrong_value missing
// says: in[0] is missing in out[2], which has only in[1..2].
// asks: Which thread should add it, and at which line?
extern "C" __global__ void scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int val[256];
    const int id = threadIdx.x;
    const int pos = 256 * blockIdx.x + id;
    val[id] = pos < n ? in[pos] : 0;
    __syncthreads();
    int hop = 1;
    while (hop < 256) {
        int left = 0;
        if (id >= hop) left = val[id - hop];
        __syncthreads();
        val[id] += left;
        hop = hop * 3;
        __syncthreads();
    }
    if (pos < n) out[pos] = val[id];
    if (id == 255) block_sums[blockIdx.x] = val[255];
}

extern "C" __global__ void add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && blockIdx.x > 0)
        out[i] += block_sums[blockIdx.x - 1];
}
