// cause: `const unsigned mask = __ballot_sync(0xffffffffu, i < n);` names only the lanes with an element, but all lanes go through `__shfl_up_sync(mask, v, d)`: a lane that is not in its own mask is undefined behaviour in each ragged warp
// first: sync_mask unnamed
// says: the mask 0x00000001 leaves out lane 1, which executes this line
// asks: Which bits are set, and which lanes execute this line?
#define BLOCK 256

__device__ unsigned scan_warp(unsigned v, unsigned mask)
{
    for (int d = 1; d < 32; d *= 2) {
        unsigned left = __shfl_up_sync(mask, v, d);
        if (threadIdx.x % 32 >= d) v += left;
    }
    return v;
}

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ unsigned sums[BLOCK / 32];
    int i = blockIdx.x * BLOCK + threadIdx.x;
    int warp = threadIdx.x / 32;
    const unsigned mask = __ballot_sync(0xffffffffu, i < n);
    unsigned v = 0;
    if (i < n) v = in[i];
    v = scan_warp(v, mask);
    if (threadIdx.x % 32 == 31) sums[warp] = v;
    __syncthreads();
    for (int k = 0; k < warp; k++) v += sums[k];
    if (i < n) out[i] = v;
    if (threadIdx.x == BLOCK - 1) block_sums[blockIdx.x] = v;
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x > 0 && i < n)
        out[i] = (unsigned)out[i] + (unsigned)block_sums[blockIdx.x - 1];
}
