// cause: the block size is written as 1024
// first: never_written
// says: a[256] still holds what it held before the launch: no thread changed the last of the 257 elements.
// asks: Which thread should have changed the elements that the message names, and what kept it from doing so?
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * 1024 + threadIdx.x;
    if (i < n)
        a[i] = 2 * a[i];
}
