// expect: wrong_value - the assembler text ends the kernel and begins another
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = 1;
    asm volatile("ret;\n}\n.visible .entry second(.param .u64 p)\n{\n");
}
