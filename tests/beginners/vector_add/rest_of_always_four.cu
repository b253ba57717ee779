// cause: four threads do the elements behind the last whole group, however many there are (line 16: i < 4 instead of i < n % 4), so they go out of bounds
// first: out_of_bounds guarded
// says: Line 16 asks i < 4: 1 < 4 is true
// asks: Does it ask about the very index that is used, and about the length of b?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int quads = n / 4;

    if (i < quads) {
        float4 p = ((const float4 *)a)[i];
        float4 q = ((const float4 *)b)[i];
        ((float4 *)c)[i] = make_float4(p.x + q.x, p.y + q.y, p.z + q.z, p.w + q.w);
    }
    // the rest
    if (i < 4) {
        int k = 4 * quads + i;
        c[k] = a[k] + b[k];
    }
}
