// page: reference.md
// says: Add `_items = 256` for one element per thread.
// expect: pass
extern "C" __constant__ int doublify_block[3] = {32, 8, 1};
extern "C" __constant__ int doublify_items = 256;
extern "C" __global__ void doublify(float *a, int n)
{
    if (blockDim.x != 32 || blockDim.y != 8 || gridDim.x != (n + 255) / 256 || gridDim.y != 1) {
        __trap();
    }
    int i = blockIdx.x * 256 + threadIdx.y * 32 + threadIdx.x;
    if (i < n) {
        a[i] *= 2;
    }
}
