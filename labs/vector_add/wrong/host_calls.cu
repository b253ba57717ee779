// expect: compile line=5 - calls cudaMalloc and cudaMemcpy in the kernel
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    float *d_a;
    cudaMalloc((void **)&d_a, n * sizeof(float));
    cudaMemcpy(d_a, a, n * sizeof(float), cudaMemcpyHostToDevice);
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = d_a[i] + b[i];
}
