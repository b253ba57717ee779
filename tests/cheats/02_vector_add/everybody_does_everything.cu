// expect: at most 60 - each block adds the whole vectors, all with the same values
extern "C" __constant__ int vector_add_items = 16384;

extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        c[i] = a[i] + b[i];
    }
}
