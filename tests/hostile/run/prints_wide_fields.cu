// expect: fuel line=9 - fields that are a thousand million characters wide, of which nobody sees more than the first two thousand
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] *= 2;
    if (i != 0)
        return;
    for (int k = 0; k < 1 << 24; k++)
        printf("%*d %999999999.999999f %.2000000000e\n", 1 << 30, k, 1e300 / (k + 1), 1e-300);
}
