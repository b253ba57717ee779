// cause: n % blockDim.x is 0 where the last block is full
// first: never_written not_reached
// says: Line 12 stores into a, but no thread came to it.
// asks: What sends the thread in the message past the store, and with which values?
extern "C" __global__ void doublify(float *a, int n)
{
    int count = blockDim.x;               // threads with work in this block
    if (blockIdx.x == gridDim.x - 1)
        count = n % blockDim.x;           // last block: only what is left

    if (threadIdx.x < count)
        a[blockIdx.x * blockDim.x + threadIdx.x] *= 2.0f;
}
