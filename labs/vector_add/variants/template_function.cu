// expect: pass - four elements per thread, 256 apart, in a function template
#define TPB 256
#define PER 4
extern "C" __constant__ int vector_add_items = TPB * PER;

template <int COUNT>
__device__ void addStrided(const float *x, const float *y, float *z, int start, int n)
{
#pragma unroll
    for (int k = 0; k < COUNT; k++) {
        int i = start + k * TPB;
        if (i < n)
            z[i] = x[i] + y[i];
    }
}

extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    addStrided<PER>(a, b, c, blockIdx.x * TPB * PER + threadIdx.x, n);
}
