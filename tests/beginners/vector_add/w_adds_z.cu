// cause: the fourth component adds y.z instead of y.w (line 11), so the last element of every group of four is wrong
// first: wrong_value carried
// says: Line 11 mixes two parts of its vectors
// asks: On the way to c[3], where does the one take the place of the other?
__device__ float4 add4(float4 x, float4 y)
{
    float4 s;
    s.x = x.x + y.x;
    s.y = x.y + y.y;
    s.z = x.z + y.z;
    s.w = x.w + y.z;
    return s;
}

extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    int groups = n / 4, rest = n % 4;
    if (id < groups)
        ((float4 *)c)[id] = add4(((const float4 *)a)[id], ((const float4 *)b)[id]);
    if (id < rest) {
        int k = n - 1 - id;
        c[k] = a[k] + b[k];
    }
}
