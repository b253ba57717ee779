// cause: __global__ is missing
// first: compile
// says: doublify is the kernel that the lab launches, but __global__ is missing in front of it, so the compiler takes it
// asks:
extern "C" void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = 2 * a[i];
}
