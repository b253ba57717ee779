// expect: wrong_value - the widely copied version has only the up-sweep: elements 0, 1, 3, 7, 15 ... are right
extern "C" __global__ void scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int temp[256];
    int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + tid;
    temp[tid] = i < n ? in[i] : 0;
    __syncthreads();
    for (int stride = 1; stride < 256; stride *= 2) {
        int index = (tid + 1) * stride * 2 - 1;
        if (index < 256) {
            temp[index] += temp[index - stride];
        }
        __syncthreads();
    }
    if (i < n) {
        out[i] = temp[tid];
    }
    if (tid == 255) {
        block_sums[blockIdx.x] = temp[255];
    }
}

extern "C" __global__ void add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x > 0 && i < n) {
        out[i] += block_sums[blockIdx.x - 1];
    }
}
