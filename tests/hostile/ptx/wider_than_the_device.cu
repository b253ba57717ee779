// expect: compile line=10 - loads and stores of 32 bytes a thread, which GPUs have since compute capability 10.0
extern "C" __global__ void doublify(float *a, int n)
{
    int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i + 4 > n)
        return;
    unsigned long long v = 0, w = 0;
    float *to = a + i;

    asm volatile("ld.global.v4.u64 {%0, %1, %0, %1}, [%2];" : "=l"(v), "=l"(w) : "l"(to));
    *(unsigned long long *)to = v + w;
}
