// cause: the pairs begin at odd elements, so the float2 accesses are at addresses that are not multiples of 8 (line 16)
// first: misaligned
// says: read of 8 bytes at an address that is not a multiple of 8 (byte 4 of a)
// asks: At which bytes may it begin?
extern "C" __global__ void doublify(float *a, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;

    // the first element on its own, then pairs: (1,2) (3,4) (5,6) ...
    if (id == 0)
        a[0] = 2.0f * a[0];

    int k = 1 + 2 * id;
    if (k + 1 < n) {
        float2 *pair = (float2 *)(a + k);
        float2 v = *pair;
        v.x = 2.0f * v.x;
        v.y = 2.0f * v.y;
        *pair = v;
    } else if (k < n) {
        a[k] = 2.0f * a[k];
    }
}
