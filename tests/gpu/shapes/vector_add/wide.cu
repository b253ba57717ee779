// float4
extern "C" __constant__ int vector_add_items = 1024;

extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i + 4 <= n) {
        float4 x = *(const float4 *)&a[i], y = *(const float4 *)&b[i];
        *(float4 *)&c[i] = make_float4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w);
    } else {
        for (; i < n; i++)
            c[i] = a[i] + b[i];
    }
}
