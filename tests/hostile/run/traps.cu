// expect: assert line=5 - ends the whole program
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __trap();
    a[i] = 1;
}
