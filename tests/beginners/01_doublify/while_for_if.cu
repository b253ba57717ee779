// cause: while instead of if: the loop never ends
// first: fuel
// says: the loop at line 8 still runs after 10 million warp instructions
// asks: Which loop does not end? What changes in it from one iteration to the next?
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    while (i < n)
        a[i] = 2 * a[i];
}
