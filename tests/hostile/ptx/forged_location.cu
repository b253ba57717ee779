// expect: wrong_value - .loc and .file claim that the code stands in another file
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    asm volatile(".loc 1 1 1\n");
    if (i < n)
        a[i] = 3 * a[i];
}
