// page: reference.md
// says: `_block[3] = {32, 8, 1}` alone makes elements / 32 blocks.
// expect: pass
extern "C" __constant__ int doublify_block[3] = {32, 8, 1};
extern "C" __global__ void doublify(float *a, int n)
{
    if (blockDim.x != 32 || blockDim.y != 8 || gridDim.x != (n + 31) / 32 || gridDim.y != 1) {
        __trap();
    }
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && threadIdx.y == 0) {
        a[i] *= 2;
    }
}
