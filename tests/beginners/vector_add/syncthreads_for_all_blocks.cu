// cause: __syncthreads() is taken to wait for all blocks (line 13): behind it a thread adds to an element that a thread of another block stores, in a race
// first: race_global two_stores
// says: c[256] written by thread (0,0,0) of block (0,0,0) (line 18) and written by thread (0,0,0) of block (1,0,0) (line 11)
// asks: Should both threads use this element, or each one of its own?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    // first step: copy a, from the front
    if (i < n)
        c[i] = a[i];

    __syncthreads();       // now c is complete

    // second step: add b, from the back
    int j = n - 1 - i;
    if (j >= 0)
        c[j] = c[j] + b[j];
}
