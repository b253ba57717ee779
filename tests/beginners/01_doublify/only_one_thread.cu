// cause: one thread of each block works
// first: never_written
// says: a[1..15] still hold what they held before the launch: no thread changed the last 15 of the 16 elements.
// asks: Which thread should have changed the elements that the message names, and what kept it from doing so?
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0 && i < n)
        a[i] = 2 * a[i];
}
