// cause: the first block is skipped
// first: never_written
// says: a[0..255] still hold what they held before the launch: no thread changed the first 256 of the 257 elements.
// asks: Which thread should have changed the elements that the message names, and what kept it from doing so?
extern "C" __global__ void doublify(float *a, int n)
{
    int i = (blockIdx.x + 1) * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = 2 * a[i];
}
