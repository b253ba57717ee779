// cause: the float4 of thread i begins at element i instead of 4 * i (line 9), so its address is not a multiple of 16: misaligned access
// first: misaligned
// says: read of 16 bytes at an address that is not a multiple of 16 (byte 4 of a)
// asks: Which alignment does this access require?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + 3 < n) {
        float4 u = *(const float4 *)(a + i);
        float4 v = *(const float4 *)(b + i);
        u.x += v.x; u.y += v.y; u.z += v.z; u.w += v.w;
        *(float4 *)(c + i) = u;
    } else if (i < n) {
        c[i] = a[i] + b[i];
    }
}
