// cause: else if (blockIdx.x == gridDim.x && i < n) is never true, because the last block has the number gridDim.x - 1: its elements are never written
// first: never_written not_reached
// says: Line 12 stores into c, but no thread of block (1,0,0) came to it. The last line that they ran is line 11.
// asks: What sends the thread in the message past the store, and with which values?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (blockIdx.x < gridDim.x - 1)                   // inner blocks are full
        c[i] = a[i] + b[i];
    else if (blockIdx.x == gridDim.x && i < n)        // the last one is not
        c[i] = a[i] + b[i];
}
