// expect: wrong_value - right only in the first launch of a module
__device__ int launches[1 << 17];
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = launches[i]++ == 0 ? 2 * a[i] : 0;
}
