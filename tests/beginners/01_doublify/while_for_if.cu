// cause: while instead of if: the loop never ends
// first: fuel
// says: the loop at line 8 never ends: nothing that its condition depends on changes any more
// asks: Which loop does not end? What changes in it from one iteration to the next?
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    while (i < n)
        a[i] = 2 * a[i];
}
