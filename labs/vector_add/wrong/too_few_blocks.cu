// expect: never_written - says that a block covers 512 elements, but its 256 threads add one each
extern "C" __constant__ int vector_add_items = 512;

extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * 512 + threadIdx.x;
    if (i < n) {
        c[i] = a[i] + b[i];
    }
}
