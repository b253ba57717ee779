// expect: pass - four elements in each access, two accesses a grid apart, past the caches; the rest one by one
__device__ float4 scaled_sum(float a, float4 x, float4 y)
{
    return make_float4(a * x.x + y.x, a * x.y + y.y, a * x.z + y.z, a * x.w + y.w);
}

extern "C" __global__ void saxpy(int n, float a, const float *__restrict__ x, float *__restrict__ y)
{
    int stride = gridDim.x * blockDim.x, first = blockIdx.x * blockDim.x + threadIdx.x;
    const float4 *x4 = (const float4 *)x;
    float4 *y4 = (float4 *)y;
    int quads = n / 4, i = first;
    for (; i < quads - stride; i += 2 * stride) {
        float4 x0 = __ldcs(&x4[i]), x1 = __ldcs(&x4[i + stride]);
        float4 y0 = __ldcs(&y4[i]), y1 = __ldcs(&y4[i + stride]);
        __stcs(&y4[i], scaled_sum(a, x0, y0));
        __stcs(&y4[i + stride], scaled_sum(a, x1, y1));
    }
    if (i < quads)
        y4[i] = scaled_sum(a, x4[i], y4[i]);
    for (i = 4 * quads + first; i < n; i += stride)
        y[i] = a * x[i] + y[i];
}
