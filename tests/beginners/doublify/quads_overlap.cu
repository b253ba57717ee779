// cause: each thread takes a float4 at its own number, so the groups overlap
// first: misaligned
// says: read of 16 bytes at an address that is not a multiple of 16
// asks: at which byte of a does it begin? At which bytes may it begin?
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + 3 < n) {
        float4 v = *reinterpret_cast<float4 *>(&a[i]);
        v.x *= 2, v.y *= 2, v.z *= 2, v.w *= 2;
        *reinterpret_cast<float4 *>(&a[i]) = v;
    } else if (i < n) {
        a[i] *= 2;
    }
}
