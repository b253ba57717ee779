// cause: adds 2 instead of doubling
// first: wrong_value scaled
// says: a[0] contains a[0], where it should contain 2 x a[0].
// asks: Which operation gives that, and which one should it be?
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] += 2;
}
