// expect: never_written|out_of_bounds - multiplies by gridDim instead of blockDim; in the largest grid that overflows
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * gridDim.x + threadIdx.x;
    if (i < n) {
        c[i] = a[i] + b[i];
    }
}
