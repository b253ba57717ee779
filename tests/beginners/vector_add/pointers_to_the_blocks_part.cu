// cause: the guard asks about the place in the block, though the pointers begin at the block's part
// first: out_of_bounds guarded
// says: read b[257], but b has 257 elements (0..256)
// asks: A condition precedes this access, and it let this thread through. Does it ask about the very index that
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int first = blockIdx.x * blockDim.x;
    const float *x = a + first, *y = b + first;
    float *z = c + first;
    int i = threadIdx.x;
    if (i < n) z[i] = x[i] + y[i];
}
