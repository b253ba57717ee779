// cause: threadIdx.x / blockDim.x is 0 in each thread
// first: never_written same_index
// says: Line 9 stores c[0] in each of 256 threads.
// asks: The number of the thread is in the index of line 9, and every thread gets the same one. Which operator takes the number away?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x / blockDim.x;
    if (i < n)
        c[i] = a[i] + b[i];
}
