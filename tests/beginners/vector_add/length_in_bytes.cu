// cause: const int N = n * sizeof(float); is the length in bytes, but if (i < N) compares it with an index of elements: four times too far, out of bounds
// first: out_of_bounds guarded
// says: read b[1], but b has 1 element (0..0)
// asks: Does it ask about the very index that is used
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    const int N = n * sizeof(float);        // size of the arrays
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N)
        c[i] = a[i] + b[i];
}
