// cause: Line 12 asks only whether the first of the four floats exists, so when n is not a multiple of 4 the last float4 in line 13 is read and stored beyond the end of a (n = 1).
// first: out_of_bounds wide
// says: read of 16 bytes from a[0] on: they reach a[1], but a has 1 element
// asks: which elements of a are that?
extern "C" __constant__ int doublify_items = 4 * 256;

extern "C" __global__ void doublify(float *a, int n)
{
    float4 *a4 = (float4 *)a;
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (4 * i < n) {
        float4 f = a4[i];
        f.x += f.x;
        f.y += f.y;
        f.z += f.z;
        f.w += f.w;
        a4[i] = f;
    }
}
