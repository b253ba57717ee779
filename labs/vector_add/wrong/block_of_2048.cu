// expect: launch - the published block of 2048 threads: the kernel never runs
extern "C" __global__ void __launch_bounds__(2048) vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        c[i] = a[i] + b[i];
    }
}
