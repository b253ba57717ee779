// cause: the threads wait in a loop for a shared flag, read plainly, where a barrier belongs
// first: fuel polls
// says: it waits until line 17 changes go, but reads it plainly, which the compiler may do once only
// asks: How often does the loop in line 19 really read go from memory?
extern "C" __global__ void scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int cells[256];
    __shared__ int go;
    int t = threadIdx.x;
    int g = blockIdx.x * 256 + t;
    if (t == 0) go = 0;
    cells[t] = g < n ? in[g] : 0;
    __syncthreads();
    if (t == 0) {
        for (int k = 1; k < 256; k++)
            cells[k] += cells[k - 1];
        go = 1;
    }
    while (go == 0) { }
    if (g < n) out[g] = cells[t];
    if (t == 255) block_sums[blockIdx.x] = cells[255];
}

extern "C" __global__ void add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && blockIdx.x > 0)
        out[i] += block_sums[blockIdx.x - 1];
}
