// expect: null_pointer line=7 - looks through the whole address space
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float found = 0;
    for (unsigned long long at = 4096; at < 1 << 14; at += 4096)
        found += *(volatile float *)at;
    if (i < n)
        a[i] = found;
}
