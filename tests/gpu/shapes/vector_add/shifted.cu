// a warp's elements do not begin at a sector
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    i = i > 0 ? i - 1 : n - 1;
    if (i < n)
        c[i] = a[i] + b[i];
}
