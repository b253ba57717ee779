// cause: Line 8: the number of float4s is rounded up, so if n is no multiple of 4 the last float4 (line 10 and following) sticks out beyond the end of the arrays: out of bounds.
// first: out_of_bounds wide
// says: read of 16 bytes from a[0] on: they reach a[1], but a has 1 element
// asks: How many bytes does this line access at once, and which elements of a are that?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    int vecs = (n + 3) / 4;
    if (v < vecs) {
        float4 x = ((const float4 *)a)[v];
        float4 y = ((const float4 *)b)[v];
        float4 z;
        z.x = x.x + y.x;
        z.y = x.y + y.y;
        z.z = x.z + y.z;
        z.w = x.w + y.w;
        ((float4 *)c)[v] = z;
    }
}
