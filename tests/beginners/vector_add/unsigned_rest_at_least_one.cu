// cause: the index is unsigned, so n - i wraps for i > n and is at least 1 there
// first: out_of_bounds unsigned
// says: read b[2], but b has 1 element (0..0)
// asks: Of which type is the difference in the condition
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    const unsigned i = blockDim.x * blockIdx.x + threadIdx.x;
    if (n - i < 1)
        return;
    c[i] = a[i] + b[i];
}
