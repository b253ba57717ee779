// cause: the block size is written as 1024
// first: never_written not_reached
// says: Line 9 stores into a, but no thread of block (1,0,0) came to it. The last line that they ran is line 8.
// asks: What sends the thread in the message past the store, and with which values?
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * 1024 + threadIdx.x;
    if (i < n)
        a[i] = 2 * a[i];
}
