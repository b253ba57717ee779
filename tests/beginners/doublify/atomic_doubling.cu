// cause: Line 11 doubles with atomicAdd on global memory, which turns subnormal numbers into 0 (n = 1009).
// first: wrong_value special
// says: an input or the right result is special: subnormal.
// asks: What does the kernel make of such a number?
extern "C" __global__ void doublify(float *a, int n)
{
    int index = threadIdx.x + blockIdx.x * blockDim.x;
    if (index < n)
    {
        float x = a[index];
        atomicAdd(&a[index], x);    // atomic to be safe
    }
}
