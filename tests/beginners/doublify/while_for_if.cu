// cause: while instead of if: the loop never ends
// first: fuel unchanged
// says: the loop at line 8 never ends: nothing in it changes i
// asks: Which line of the loop changes i?
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    while (i < n)
        a[i] = 2 * a[i];
}
