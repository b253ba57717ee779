// cause: Line 8 multiplies blockIdx.x by blockDim.x - 1, so each block starts one element earlier than the one before ends; with many blocks the last elements are never written (n = 100003 and 2^24 + 11).
// first: never_written overlap
// says: From one block to the next, the index of line 10 grows by 255, and a block has 256 threads.
// asks: What is the index of line 10 made of
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int last = blockDim.x - 1;               // indices go from 0 to 255
    int i = blockIdx.x * last + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}
