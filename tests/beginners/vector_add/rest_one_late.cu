// cause: the rest begins one element too late
// first: never_written elsewhere
// says: Line 16 stores c[0..27], line 20 stores c[29..30].
// asks: Which elements should line 20 store, and which does it store?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int groups = n / 4;
    if (i < groups) {
        float4 x = reinterpret_cast<const float4 *>(a)[i];
        float4 y = reinterpret_cast<const float4 *>(b)[i];
        x.x += y.x;
        x.y += y.y;
        x.z += y.z;
        x.w += y.w;
        reinterpret_cast<float4 *>(c)[i] = x;
    }
    if (i == 0) {
        for (int k = 4 * groups + 1; k < n; k++)
            c[k] = a[k] + b[k];
    }
}
