// cause: takes its index from a counter that nobody sets back before the next launch
// first: never_written kept
// says: The first run of this case was right. In the second one, with other inputs, 31 of 31 elements of z were never written.
// asks: What differs between the two runs: the inputs, or what variables outside of the kernel still hold?
__device__ int where;
extern "C" __global__ void vector_add(const float *x, const float *y, float *z, int len)
{
    int k = atomicAdd(&where, 1);
    if (k < len)
        z[k] = x[k] + y[k];
}
