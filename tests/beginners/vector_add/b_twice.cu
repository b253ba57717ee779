// cause: adds b to itself
// first: wrong_value unused
// says: Nothing that is read from a reaches the result.
// asks: Which line should use a?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = b[i] + b[i];
}
