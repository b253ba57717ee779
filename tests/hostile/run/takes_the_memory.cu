// expect: launch|compile - the module's own array leaves no memory for the lab's
__device__ char hole[3900000000u];
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] *= 2 + hole[i];
}
