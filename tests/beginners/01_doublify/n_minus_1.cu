// cause: the guard is one too strict: the last element is left
// first: never_written
// says: a[15] still holds what it held before the launch: no thread changed the last of the 16 elements.
// asks: Which thread should have changed the elements that the message names, and what kept it from doing so?
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n - 1)
        a[i] = 2 * a[i];
}
