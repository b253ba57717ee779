// cause: NaN counts as missing and is replaced by 0
// first: wrong_value special
// says: elements of ordinary numbers are all right.
// asks: Which inputs give NaN, and what does the kernel make of them?
__device__ float clean(float v)
{
    return v == v ? v : 0.0f;
}

extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = clean(a[i]) + clean(b[i]);
}
