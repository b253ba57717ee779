// expect: never_written - multiplies by gridDim where it should multiply by blockDim
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * gridDim.x + threadIdx.x;
    if (i < n) {
        c[i] = a[i] + b[i];
    }
}
