// expect: compile - a million registers
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    asm volatile("{ .reg .b64 %many<1000000>; mov.b64 %many999999, 1; }");
    if (i < n)
        a[i] = 1;
}
