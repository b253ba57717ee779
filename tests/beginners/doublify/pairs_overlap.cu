// cause: pairs of float2 begin at each element, so they overlap
// first: misaligned
// says: read of 8 bytes at an address that is not a multiple of 8
// asks: at which byte of a does it begin? At which bytes may it begin?
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i + 1 < n) {
        float2 *pair = (float2 *)(a + i);
        float2 v = *pair;
        v.x = v.x * 2;
        v.y = v.y * 2;
        *pair = v;
    } else if (i < n) {
        a[i] = a[i] * 2;     // last one of an odd n
    }
}
