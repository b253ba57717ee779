// cause: the array is dynamic shared memory, but the lab launches without any, so it has no elements and every access is out of bounds
// first: out_of_bounds no_bytes
// says: write sdata[0], but sdata has no element: the launch gave it no bytes
// asks: Who decides how many bytes sdata has?
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    extern __shared__ int sdata[];
    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;

    sdata[tid] = (i < n) ? in[i] : 0;
    __syncthreads();

    for (unsigned int s = 1; s < blockDim.x; s *= 2) {
        int val = 0;
        if (tid >= s) {
            val = sdata[tid - s];
        }
        __syncthreads();
        sdata[tid] += val;
        __syncthreads();
    }

    if (i < n) out[i] = sdata[tid];
    if (tid == blockDim.x - 1) block_sums[blockIdx.x] = sdata[tid];
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x > 0 && i < n)
        out[i] += block_sums[blockIdx.x - 1];
}
