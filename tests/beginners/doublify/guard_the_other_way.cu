// cause: the guard is inverted: threads with an element return, those without one write beyond the array
// first: out_of_bounds inverted
// says: Line 8 asks i < n: 1 < 1 is false.
// asks: Which threads come to this access: those that have an element of a, or the others?
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        return;
    a[i] = a[i] * 2;
}
