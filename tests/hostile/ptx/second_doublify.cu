// expect: compile - two entries of one name
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    asm volatile("ret;\n}\n.visible .entry doublify(.param .u64 p, .param .u32 q)\n{\n");
    if (i < n)
        a[i] = 1;
}
