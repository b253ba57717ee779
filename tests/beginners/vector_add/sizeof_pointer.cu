// cause: sizeof(a) is the size of the pointer, 8 bytes, and not of the array, so the guard always compares with 2
// first: out_of_bounds guarded
// says: read b[1], but b has 1 element (0..0)
// asks: A condition precedes this access, and it let this thread through. Does it ask about the very index that
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int length = sizeof(a) / sizeof(a[0]);
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < length) {
        c[i] = a[i] + b[i];
    }
}
