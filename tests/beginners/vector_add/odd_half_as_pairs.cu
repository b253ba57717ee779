// cause: add2(a + half, b + half, c + half, p); reads float2 from element half on, which is not aligned to 8 bytes if half is odd (n = 31: half = 15)
// first: misaligned
// says: read of 8 bytes at an address that is not a multiple of 8 (byte 60 of a)
// asks: Which alignment does this access require?
__device__ void add2(const float *a, const float *b, float *c, int p)
{
    float2 u = ((const float2 *)a)[p];
    float2 v = ((const float2 *)b)[p];
    ((float2 *)c)[p] = make_float2(u.x + v.x, u.y + v.y);
}

extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int p = blockIdx.x * blockDim.x + threadIdx.x;
    int half = n / 2;
    if (p < half / 2) {
        add2(a, b, c, p);                                // first half
        add2(a + half, b + half, c + half, p);           // second half
    }
    if (p == 0) {
        if (half % 2) {
            c[half - 1] = a[half - 1] + b[half - 1];
            c[2 * half - 1] = a[2 * half - 1] + b[2 * half - 1];
        }
        if (n % 2)
            c[n - 1] = a[n - 1] + b[n - 1];
    }
}
