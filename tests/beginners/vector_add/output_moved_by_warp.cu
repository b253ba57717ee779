// cause: the pointers move by 32 elements for each block, and a block has 256 threads
// first: never_written overlap
// says: moves c forward by 32*blockIdx.x = 32*1 = 32.
// asks: What is the index of line 12 made of
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    a += 32 * blockIdx.x;
    b += 32 * blockIdx.x;
    c += 32 * blockIdx.x;
    int t = threadIdx.x;
    if (32 * blockIdx.x + t < n)
        c[t] = a[t] + b[t];
}
