// expect: compile - more PTX than a solution can need
#define T(x) x x x x x x x x x x
#define LINE "// a comment that makes the module longer and longer\n"
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    asm volatile(T(T(T(T(T(LINE))))));
    if (i < n)
        a[i] = 1;
}
