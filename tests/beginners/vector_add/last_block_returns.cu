// cause: the last block returns
// first: never_written not_reached
// says: Line 11 stores into c, but no thread of block (1,0,0) came to it. The last line that they ran is line 8.
// asks: What sends the thread in the message past the store, and with which values?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    // the last block is not full
    if (blockIdx.x == gridDim.x - 1)
        return;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    c[i] = a[i] + b[i];
}
