// expect: pass - the store is an atomic exchange, whose result no thread needs
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        atomicExch(&a[i], 2 * a[i]);
    }
}
