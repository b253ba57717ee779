// cause: Line 8 replaces NaN by 0, so where a or b is NaN (n = 1500) the result is a number instead of NaN.
// first: wrong_value special
// says: Every wrong element should be NaN
// asks: what does the kernel make of them?
// like np.nansum: missing values count as zero
__device__ float clean(float v)
{
    return isnan(v) ? 0.0f : v;
}

extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int k = threadIdx.x + blockDim.x * blockIdx.x;
    if (k < n)
        c[k] = clean(a[k]) + clean(b[k]);
}
