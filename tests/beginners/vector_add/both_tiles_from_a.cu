// cause: Line 13: s_b is filled from a instead of b (copy-paste), so c[i] becomes 2 * a[i].
// first: wrong_value unused
// says: c[0] contains 2 x a[0], where it should contain a[0]; so it is with all wrong elements. Nothing that is read from b reaches the result.
// asks: Which line should use b?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    __shared__ float s_a[256];
    __shared__ float s_b[256];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;

    s_a[t] = (i < n) ? a[i] : 0.0f;
    s_b[t] = (i < n) ? a[i] : 0.0f;
    __syncthreads();

    if (i < n)
        c[i] = s_a[t] + s_b[t];
}
