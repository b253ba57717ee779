// cause: the blocks are 100 elements apart, and each has 256 threads
// first: never_written overlap
// says: the index of line 9 grows by 100, and a block has 256 threads.
// asks: What is the index of line 9 made of
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = 100 * blockIdx.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}
