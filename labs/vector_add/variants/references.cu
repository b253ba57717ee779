// expect: pass - a block of 16 x 16 threads; the elements by references
extern "C" __constant__ int vector_add_block[3] = {16, 16, 1};
extern "C" __constant__ int vector_add_items = 256;

extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int rank = threadIdx.y * blockDim.x + threadIdx.x;
    int i = blockIdx.x * blockDim.x * blockDim.y + rank;

    if (!(i < n))
        return;

    const float &x = a[i], &y = b[i];
    float &result = c[i];
    result = y - -x;
}
