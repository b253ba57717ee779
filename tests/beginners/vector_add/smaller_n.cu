// cause: n is made smaller before the guard
// first: never_written not_reached
// says: Line 10 stores into c, but no thread of block (1,0,0) came to it. The last line that they ran is line 9.
// asks: What sends the thread in the message past the store, and with which values?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    n -= blockIdx.x * blockDim.x;   // what is left for this block
    if (i < n) {
        c[i] = a[i] + b[i];
    }
}
