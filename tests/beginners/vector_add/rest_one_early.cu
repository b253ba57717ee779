// cause: Line 24 begins the rest one element too early (n - 1 - rest instead of n - rest), so c[n - 1] is never written when n is not a multiple of 4, and n = 1 is out of bounds at index -1.
// first: out_of_bounds negative
// says: read b[-1], but b has 1 element
// asks: Which part of its formula is negative in this thread?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int quads = n / 4;

    if (i < quads) {
        float4 p = ((const float4 *)a)[i];
        float4 q = ((const float4 *)b)[i];
        float4 r;
        r.x = p.x + q.x;
        r.y = p.y + q.y;
        r.z = p.z + q.z;
        r.w = p.w + q.w;
        ((float4 *)c)[i] = r;
    }

    // the rest, 0 to 3 elements
    int rest = n - 4 * quads;
    if (i < rest) {
        int j = n - 1 - rest + i;
        c[j] = a[j] + b[j];
    }
}
