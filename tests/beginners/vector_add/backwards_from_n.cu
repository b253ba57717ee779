// cause: counting backwards starts at element n instead of n - 1, so thread 0 is out of bounds and element 0 is left out
// first: out_of_bounds guarded
// says: read b[1], but b has 1 element (0..0)
// asks: A condition precedes this access, and it let this thread through. Does it ask about the very index that
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = n - (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i > 0)
        c[i] = a[i] + b[i];
}
