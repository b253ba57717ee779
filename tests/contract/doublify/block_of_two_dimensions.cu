// page: reference.md
// says: `_block[3] = {32, 8, 1}` makes elements / 256 blocks
// expect: pass
extern "C" __constant__ int doublify_block[3] = {32, 8, 1};
extern "C" __global__ void doublify(float *a, int n)
{
    if (blockDim.x != 32 || blockDim.y != 8 || gridDim.x != (n + 255) / 256 || gridDim.y != 1) {
        __trap();
    }
    int i = (blockIdx.x * 8 + threadIdx.y) * 32 + threadIdx.x;
    if (i < n) {
        a[i] *= 2;
    }
}
