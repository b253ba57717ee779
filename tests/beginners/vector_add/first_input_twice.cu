// cause: Line 10 reads a[i] a second time instead of b[i], so c[i] becomes 2 * a[i].
// first: wrong_value unused
// says: Nothing that is read from b reaches the result.
// asks: Which line should use b?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float x = a[i];
        float y = a[i];
        float z = x + y;
        c[i] = z;
    }
}
