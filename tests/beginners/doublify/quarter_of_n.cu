// cause: n / 4 vectors: the last elements are left
// first: never_written wide
// says: Line 11 stores a[0..27].
// asks: Which elements are left over behind the last whole group?
extern "C" __global__ void doublify(float *a, int n)
{
    float4 *a4 = (float4 *)a;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / 4) {
        float4 f = a4[i];
        a4[i] = make_float4(2 * f.x, 2 * f.y, 2 * f.z, 2 * f.w);
    }
}
