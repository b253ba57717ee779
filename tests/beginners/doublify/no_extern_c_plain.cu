// cause: Line 5 lacks extern "C", so the compiler mangles the name and the lab finds no kernel called doublify.
// first: kernel_missing
// says: your file defines it without extern "C", so it got a C++ name
// asks:
__global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] *= 2.0f;
}
