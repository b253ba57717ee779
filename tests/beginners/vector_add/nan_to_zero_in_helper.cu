// cause: Line 8: a sum that is NaN is replaced by 0, but NaN is the right result there (test n = 1500 with special values).
// first: wrong_value special
// says: elements of ordinary numbers are all right.
// asks: Which inputs give NaN
__device__ float safe_add(float x, float y)
{
    float s = x + y;
    if (s != s)
        s = 0.0f;      // not a number, makes no sense
    return s;
}

extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = safe_add(a[i], b[i]);
}
