// page: reference.md
// says: `_items` only sets the number of blocks: elements / items, rounded up
// expect: pass
extern "C" __constant__ int doublify_block[3] = {32, 8, 1};
extern "C" __constant__ int doublify_items = 512;
extern "C" __global__ void doublify(float *a, int n)
{
    if (blockDim.x != 32 || blockDim.y != 8 || gridDim.x != (n + 511) / 512 || gridDim.y != 1) {
        __trap();
    }
    int i = blockIdx.x * 512 + threadIdx.y * 32 + threadIdx.x;
    if (i < n) {
        a[i] *= 2;
    }
    if (i + 256 < n) {
        a[i + 256] *= 2;
    }
}
