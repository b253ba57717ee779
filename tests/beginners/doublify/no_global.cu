// cause: __global__ is missing
// first: compile kernel
// says: doublify uses blockIdx, so it is device code, but nothing before it says so: a kernel begins with __global__
// asks:
extern "C" void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = 2 * a[i];
}
