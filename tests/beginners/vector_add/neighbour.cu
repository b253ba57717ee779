// cause: reads b[i + 1], which does not exist for the last element
// first: out_of_bounds guarded
// says: read b[1], but b has 1 element (0..0)
// asks: A condition precedes this access, and it let this thread through. Does it ask about the very index that
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i + 1];
}
