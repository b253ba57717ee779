// page: reference.md
// says: 0 equals -0, any NaN equals any NaN
// expect: pass
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float x = a[i];
        a[i] = x == 0 ? -x : isnan(x) ? __int_as_float(0xffc12345) : 2 * x;
    }
}
