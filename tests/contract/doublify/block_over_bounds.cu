// page: reference.md
// says: `_block` wins over `__launch_bounds__`
// expect: pass
extern "C" __constant__ int doublify_block[3] = {96, 1, 1};
extern "C" __global__ void __launch_bounds__(128) doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockDim.x != 96 || gridDim.x != (n + 95) / 96) {
        __trap();
    }
    if (i < n) {
        a[i] *= 2;
    }
}
