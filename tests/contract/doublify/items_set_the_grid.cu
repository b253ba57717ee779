// page: reference.md
// says: `_items` only sets the number of blocks: elements / items, rounded up
// expect: pass
extern "C" __constant__ int doublify_items = 1024;
extern "C" __global__ void doublify(float *a, int n)
{
    if (gridDim.x != (n + 1023) / 1024 || blockDim.x != 256 || (size_t)a % 256 != 0) {
        __trap();
    }
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        a[i] *= 2;
    }
}
