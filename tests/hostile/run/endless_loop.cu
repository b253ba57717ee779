// expect: fuel line=6 - a loop without end
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    volatile int go = 1;
    while (go) { }
    a[i] = 1;
}
