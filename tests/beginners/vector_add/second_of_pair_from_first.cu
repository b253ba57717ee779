// cause: the second component of the pair adds b's first component: y = a.y + b.x
// first: wrong_value moved
// says: Every wrong element is made of the one just to the left.
// asks: Which line reads b for c[1], and which index does it compute?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (2 * i + 1 < n) {
        float2 u = ((const float2 *)a)[i];
        float2 v = ((const float2 *)b)[i];
        ((float2 *)c)[i] = make_float2(u.x + v.x, u.y + v.x);
    } else if (2 * i < n) {
        c[2 * i] = a[2 * i] + b[2 * i];
    }
}
