// expect: wrong_value - tells a test from a timed run by the clock
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned long long now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    if (i < n)
        a[i] = now > 0 ? 3 * a[i] : 2 * a[i];
}
