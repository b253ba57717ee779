// expect: fuel line=7 - a megabyte of memory takes longer than a word
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] *= 2;
    for (int k = 0; i == 0 && k < 1 << 24; k++) {
        char *p = (char *)malloc(1 << 21);
        free(p);
    }
}
