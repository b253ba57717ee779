// page: doublify.md
// says: A subnormal number must not become 0
// expect: wrong_value
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        a[i] = fabsf(a[i]) < 1.17549435e-38f ? 0 : 2 * a[i];
    }
}
