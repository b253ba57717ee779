/* saxpy with sixteen bytes in each access. The grid is given, so what a thread can do to have more bytes under way is to ask
 * for more of them at a time.
 */

__device__ float4 scaled_sum(float a, float4 x, float4 y)
{
    return make_float4(a * x.x + y.x, a * x.y + y.y, a * x.z + y.z, a * x.w + y.w);
}

extern "C" __global__ void __launch_bounds__(256) saxpy(int n, float a, const float *__restrict__ x, float *__restrict__ y)
{
    int stride = gridDim.x * blockDim.x, first = blockIdx.x * blockDim.x + threadIdx.x;
    const float4 *x4 = (const float4 *)x;   // an allocation begins at a multiple of 256 bytes
    float4 *y4 = (float4 *)y;
    for (int i = first; i < n / 4; i += stride) {
        y4[i] = scaled_sum(a, x4[i], y4[i]);
    }
    for (int i = n / 4 * 4 + first; i < n; i += stride) {   // 0 to 3 elements
        y[i] = a * x[i] + y[i];
    }
}
