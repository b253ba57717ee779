// cause: doubled by + and again by *
// first: wrong_value doubled
// says: Every wrong element is 4 times what it was: it was doubled twice.
// asks: Does one thread change it twice, or do two threads have the same index?
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        a[i] += a[i];
        a[i] = a[i] * 2;
    }
}
