// walks each 65536 elements by columns of 256
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int chunk = i & ~65535, k = i & 65535;
    if (chunk + 65536 <= n)
        i = chunk + k % 256 * 256 + k / 256;
    if (i < n)
        c[i] = a[i] + b[i];
}
