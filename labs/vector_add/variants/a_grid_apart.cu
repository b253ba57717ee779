// expect: pass - two elements for each thread, a whole grid apart
extern "C" __constant__ int vector_add_items = 512;

extern "C" __global__ void vector_add(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n)
{
    int total = gridDim.x * blockDim.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    // one here and one a whole grid further
    if (i < n)
        c[i] = __ldg(&a[i]) + __ldg(&b[i]);
    i += total;
    if (i < n)
        c[i] = __ldg(a + i) + __ldg(b + i);
}
