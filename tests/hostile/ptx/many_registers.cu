// expect: compile - a hundred thousand registers
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    asm volatile("{ .reg .b64 %many<100000>; mov.b64 %many99999, 1; }");
    if (i < n)
        a[i] = 1;
}
