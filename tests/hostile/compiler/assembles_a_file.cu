// expect: compile - .incbin is of other assemblers
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    asm volatile(".incbin \"@FOLDER@/canary\";");
    if (i < n)
        a[i] = 2 * a[i];
}
