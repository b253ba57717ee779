// cause: what is infinite is taken for 0
// first: wrong_value special
// says: What does the kernel make of such a number?
// asks: What does the kernel make of such a number?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float x = a[i], y = b[i];
    c[i] = isinf(x + y) ? 0.0f : x + y;
}
