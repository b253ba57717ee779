// cause: rounds to whole numbers
// first: wrong_value typed
// says: Every wrong element is the right one, rounded to the nearest whole number.
// asks: Which line makes a whole number of it?
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] = roundf(2 * a[i]);
}
