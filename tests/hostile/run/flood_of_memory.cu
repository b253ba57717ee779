// expect: wrong_value - malloc in the kernel, never freed
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    char *last = 0;
    for (int k = 0; k < 16; k++)
        last = (char *)malloc(1 << 24);
    if (i < n)
        a[i] = last != 0;
}
