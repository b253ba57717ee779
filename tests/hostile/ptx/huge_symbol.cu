// expect: compile - an array of 2^63 bytes
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    asm volatile("{ .local .b8 huge[9223372036854775807]; }");
    if (i < n)
        a[i] = 1;
}
