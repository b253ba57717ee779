// float4
extern "C" __constant__ int doublify_items = 1024;

extern "C" __global__ void doublify(float *a, int n)
{
    int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i + 4 <= n) {
        float4 v = *(float4 *)&a[i];
        v.x *= 2, v.y *= 2, v.z *= 2, v.w *= 2;
        *(float4 *)&a[i] = v;
    } else {
        for (; i < n; i++)
            a[i] = 2.0f * a[i];
    }
}
