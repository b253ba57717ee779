// cause: a macro without parentheses is subtracted
// first: out_of_bounds guarded
// says: read b[1], but b has 1 element (0..0)
// asks: Line 9 first: What does this line say once the name is replaced by the text of its definition?
#define GID blockIdx.x * blockDim.x + threadIdx.x

extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = n - 1 - GID;      // last element first
    if (i >= 0)
        c[i] = a[i] + b[i];
}
