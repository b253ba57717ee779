// cause: extern "C" is missing (line 5), so the C++ compiler changes the name and the lab does not find the kernel
// first: kernel_missing
// says: Write: extern "C" __global__ void vector_add(...)
// asks: 
__global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}
