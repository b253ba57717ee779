// expect: stack_overflow line=2 - a function that calls itself for ever
__device__ __noinline__ int deeper(volatile int *k) { int own = *k + 1; return deeper(&own) + own; }
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int k = i;
    if (i == 0)
        a[i] = deeper(&k);
}
