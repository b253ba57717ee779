// cause: where n is smaller than the block, the share is computed anew and becomes 0
// first: never_written not_reached
// says: Line 14 stores into a, but no thread came to it.
// asks: What sends the thread in the message past the store, and with which values?
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int limit = n;
    if (n < blockDim.x)
    {
        limit = n / blockDim.x;
    }
    if (i < limit)
        a[i] *= 2.0f;
}
