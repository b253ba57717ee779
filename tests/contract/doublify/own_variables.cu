// page: reference.md
// says: they begin with what their declaration says, or 0
// expect: pass
__constant__ float factor = 2;
__constant__ float table[4];
__device__ int steps = 1;
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (table[i % 4] != 0 || steps != 1) {
        __trap();
    }
    if (i < n) {
        a[i] *= factor;
    }
}
