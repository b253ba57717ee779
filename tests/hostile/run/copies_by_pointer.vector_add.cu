// expect: compile line=2 - the function is never called by its name: a pointer to it lies in memory
extern "C" __device__ int cudaMemcpyAsync(void *, const void *, size_t, int, void *);
typedef int copy_function(void *, const void *, size_t, int, void *);
__device__ copy_function *volatile moves = cudaMemcpyAsync;
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
    if (i == 0)
        moves(c, a, 4 * n, 3, nullptr);
}
