// expect: pass - four elements per thread in one 16-byte access, the ragged end one by one
#define BLOCK 128

extern "C" __constant__ int doublify_block[3] = {BLOCK, 1, 1};
extern "C" __constant__ int doublify_items = 4 * BLOCK;

extern "C" __global__ void doublify(float *__restrict__ a, int n)
{
    int first = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (n - first >= 4) {
        float4 v = *(float4 *)(a + first);
        v.x *= 2.0f;
        v.y *= 2.0f;
        v.z *= 2.0f;
        v.w *= 2.0f;
        *(float4 *)(a + first) = v;
    } else {
        for (int i = first; i < n; i++) {
            a[i] *= 2.0f;
        }
    }
}
