// expect: wrong_value - computes once and hands the same out again
__device__ float kept[1 << 17];
__device__ bool full[1 << 17];
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    if (!full[i])
        kept[i] = 2 * a[i];
    full[i] = true;
    a[i] = kept[i];
}
