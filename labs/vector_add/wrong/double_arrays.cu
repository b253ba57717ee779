// expect: signature - the arrays are float by contract, not double
extern "C" __global__ void vector_add(const double *a, const double *b, double *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        c[i] = a[i] + b[i];
    }
}
