// cause: + binds tighter than <<, so the index is block << (8 + t), which is 0 in every thread of block 0
// first: never_written same_index
// says: stores c[0] in each of 256 threads.
// asks: Which operator takes the number away?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int block = blockIdx.x, t = threadIdx.x;
    unsigned i = block << 8 + t;
    if (i <= n)
        c[i] = a[i] + b[i];
}
