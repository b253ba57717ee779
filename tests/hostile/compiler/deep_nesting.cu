// expect: compile - 20000 brackets
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = @20000*(@1@20000*)@;
}
