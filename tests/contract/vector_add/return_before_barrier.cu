// page: vector_add.md
// says: no thread may return while others of its block still go to it
// expect: early_exit
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    __syncthreads();
    c[i] = a[i] + b[i];
}
