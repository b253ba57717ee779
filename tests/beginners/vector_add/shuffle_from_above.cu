// cause: the shuffle brings the value of the lane above, not of the one below
// first: wrong_value carried
// says: b[3] is read by thread (2,0,0) of block (0,0,0), at line 14, and b[1] by thread (0,0,0) of block (0,0,0).
// asks: On the way to c[1], where does the one take the place of the other?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool odd = threadIdx.x & 1;
    float first = 0.0f, second = 0.0f;

    // even lanes load pairs
    if (!odd && i + 1 < n) {
        float2 p = *(const float2 *)(a + i);
        float2 q = *(const float2 *)(b + i);
        first  = p.x + q.x;
        second = p.y + q.y;
    } else if (!odd && i < n) {
        first = a[i] + b[i];
    }

    // hand the second sum down to the odd lane
    float given = __shfl_down_sync(0xffffffff, second, 1);

    if (i < n)
        c[i] = odd ? given : first;
}
