// cause: the difference of two ints may be 0, and then there is no element left
// first: out_of_bounds guarded
// says: read b[1], but b has 1 element (0..0)
// asks: A condition precedes this access, and it let this thread through.
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (n - i >= 0)
        c[i] = a[i] + b[i];
}
