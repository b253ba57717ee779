// cause: ldexpf(x, 2) multiplies by 2 to the power 2, which is 4
// first: wrong_value doubled
// says: Every wrong element is 4 times what it was, and should be twice what it was.
// asks: Which operations make 4 of it, together or alone?
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    a[i] = ldexpf(a[i], 2);
}
