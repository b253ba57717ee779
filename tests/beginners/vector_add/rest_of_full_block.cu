// cause: Line 12 gives the last block n % blockDim.x elements, which is 0 when n is a multiple of the block size: with n = 256 nothing is written.
// first: never_written not_reached
// says: No element of c was ever written.
// asks: What sends the thread in the message past the store
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool lastBlock = (blockIdx.x == gridDim.x - 1);
    int active = blockDim.x;

    if (lastBlock)
        active = n % blockDim.x;     // only the rest

    if (threadIdx.x < active)
        c[i] = a[i] + b[i];
}
