// cause: element 0 is left out
// first: never_written
// says: a[0] still holds what it held before the launch: no thread changed the first of the 16 elements.
// asks: Which thread should have changed the elements that the message names, and what kept it from doing so?
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n)
        a[i] = 2 * a[i];
}
