// float2
extern "C" __constant__ int vector_add_items = 512;

extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i + 2 <= n) {
        float2 x = *(const float2 *)&a[i], y = *(const float2 *)&b[i];
        *(float2 *)&c[i] = make_float2(x.x + y.x, x.y + y.y);
    } else if (i < n) {
        c[i] = a[i] + b[i];
    }
}
