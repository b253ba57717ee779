// page: vector_add.md
// says: That fails no test; the result file has a warning
// expect: pass
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = min(blockIdx.x * blockDim.x + threadIdx.x, n - 1);
    c[i] = a[i] + b[i];
}
