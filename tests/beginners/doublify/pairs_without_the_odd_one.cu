// cause: threads take pairs of elements as float2, and with an odd n the last element has no pair
// first: never_written wide
// says: Each store of line 13 covers up to 2 elements.
// asks: Which elements are left over behind the last whole group?
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float2 *pairs = reinterpret_cast<float2 *>(a);
    if (i < n / 2) {
        float2 v = pairs[i];
        v.x *= 2.0f;
        v.y *= 2.0f;
        pairs[i] = v;
    }
}
