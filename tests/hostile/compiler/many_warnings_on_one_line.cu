// expect: compile - NVRTC quotes the whole line in each of 20000 warnings, and ends by a signal when it has no memory left
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    @20000*a[i];@
    if (i < n)
        a[i] *= 2;
}
