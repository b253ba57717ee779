// cause: Line 8 rounds n down to a multiple of the block size, so the elements of the last, incomplete block are never written (n = 1: none at all).
// first: never_written not_reached
// says: no thread of block (1,0,0) came to it
// asks: What sends the thread in the message past the store
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int usable = n / blockDim.x * blockDim.x;
    if (i < usable)
        a[i] = a[i] * 2.0f;
}
