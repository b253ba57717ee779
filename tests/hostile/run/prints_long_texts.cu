// expect: fuel line=11 - texts are read from the device's memory byte by byte
__device__ char text[900];
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] *= 2;
    if (i == 0)
        for (int k = 0; k < 899; k++)
            text[k] = 'x';
    for (int k = 0; i == 0 && k < 1 << 24; k++)
        k % 2 ? printf("%s\n", text) : printf("%.3s %s %s\n", text, text, text);
}
