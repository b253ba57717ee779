// cause: rounds up to whole numbers
// first: wrong_value typed
// says: Every wrong element is the right one, rounded up to a whole number.
// asks: Which line makes a whole number of it?
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] = ceilf(a[i] * 2);
}
