// neighbouring threads anywhere in a chunk of 4 million elements
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int chunk = i & ~4194303;
    if (chunk + 4194304 <= n)
        i = chunk + (int)((unsigned)i * 2654435761u & 4194303u);
    if (i < n)
        c[i] = a[i] + b[i];
}
