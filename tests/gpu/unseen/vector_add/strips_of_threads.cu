// 64 blocks, each thread with a strip of 512 elements
extern "C" __constant__ int vector_add_items = 131072;

extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int first = (blockIdx.x * 256 + threadIdx.x) * 512;
    for (int i = first; i < first + 512 && i < n; i++)
        c[i] = a[i] + b[i];
}
