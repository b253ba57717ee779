// expect: kernel_missing - without extern "C" the kernel gets a C++ name that the launch does not know
__global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        a[i] = 2.0f * a[i];
    }
}
