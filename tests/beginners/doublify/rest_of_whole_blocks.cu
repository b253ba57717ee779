// cause: if (blockIdx.x == gridDim.x - 1 && threadIdx.x >= rest) sends away the whole last block when n is a multiple of 256, because then rest = n % blockDim.x is 0
// first: never_written not_reached
// says: Line 12 stores into a, but no thread came to it. The last line that they ran is line 9.
// asks: What sends the thread in the message past the store, and with which values?
extern "C" __global__ void doublify(float *a, int n)
{
    unsigned rest = n % blockDim.x;      // elements in the last block

    if (blockIdx.x == gridDim.x - 1 && threadIdx.x >= rest)
        return;

    a[blockIdx.x * blockDim.x + threadIdx.x] *= 2.0f;
}
