// expect: wrong_value - tells the device by the number of its multiprocessor
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned sm, count;
    asm volatile("mov.u32 %0, %smid;" : "=r"(sm));
    asm volatile("mov.u32 %0, %nsmid;" : "=r"(count));
    if (i < n)
        a[i] = sm < count ? 3 * a[i] : 2 * a[i];
}
