// expect: compile - a comment that never ends
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    asm volatile("/* ");
    a[i] = 1;
}
