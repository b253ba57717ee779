// cause: only whole groups of four are doubled (line 9); the last n % 4 elements are never written
// first: never_written wide
// says: Each store of line 15 covers up to 4 elements
// asks: Which elements are left over behind the last whole group?
extern "C" __global__ void doublify(float *a, int n)
{
    float4 *quads = (float4 *)a;
    int q = blockIdx.x * blockDim.x + threadIdx.x;
    if (q < n / 4) {
        float4 v = quads[q];
        v.x *= 2.0f;
        v.y *= 2.0f;
        v.z *= 2.0f;
        v.w *= 2.0f;
        quads[q] = v;
    }
}
