// expect: pass - four elements per thread in 16-byte accesses, the ragged end one by one
extern "C" __constant__ int vector_add_items = 1024;

extern "C" __global__ void vector_add(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n)
{
    int first = (blockIdx.x * 256 + threadIdx.x) * 4;
    if (first + 3 < n) {
        float4 x = reinterpret_cast<const float4 *>(a)[first / 4];
        float4 y = reinterpret_cast<const float4 *>(b)[first / 4];
        reinterpret_cast<float4 *>(c)[first / 4] = make_float4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w);
    } else {
        for (int i = first; i < n; i++) {
            c[i] = a[i] + b[i];
        }
    }
}
