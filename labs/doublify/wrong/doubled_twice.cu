// expect: wrong_value - doubles in two places: the result is four times the input
__device__ float twice(float x)
{
    return 2.0f * x;
}

extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        a[i] = 2.0f * twice(a[i]);
    }
}
