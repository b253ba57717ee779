// cause: 3 / 4 is 0 for ints, and that is the divisor
// first: wrong_value other
// says: should be
// asks: of which type are the numbers that it is made of?
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = 1.5f * a[i] / (3 / 4);
}
