// expect: at most 90 - one block for vectors of any length
extern "C" __constant__ int vector_add_items = 1 << 30;

extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        c[i] = a[i] + b[i];
    }
}
