// cause: the third part of the vector takes the second of b
// first: wrong_value carried
// says: Thread (0,0,0) of block (0,0,0), which stores c[2], reads both b[1] and b[2], at line 10.
// asks: On the way to c[2], where does the one take the place of the other?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i + 3 < n) {
        float4 p = *(const float4 *)(a + i);
        float4 q = *(const float4 *)(b + i);
        float4 r;
        r.x = p.x + q.x;
        r.y = p.y + q.y;
        r.z = p.z + q.y;
        r.w = p.w + q.w;
        *(float4 *)(c + i) = r;
    } else {
        for (; i < n; i++)
            c[i] = a[i] + b[i];
    }
}
