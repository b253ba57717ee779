// expect: compile line=6 - a kernel that launches kernels
__global__ void other(float *a) { a[0] = 1; }
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    other<<<1, 1>>>(a);
}
