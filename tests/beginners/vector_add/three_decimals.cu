// cause: the sums are rounded to three decimals
// first: wrong_value typed
// says: Line 9 calls roundf, which returns a whole number.
// asks: What becomes of a fraction, or of a negative number, on its way?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = roundf((a[i] + b[i]) * 1000.0f) / 1000.0f;
}
