// expect: budget global_sectors - right, but neighbouring threads take elements that lie gridDim.x apart
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = threadIdx.x * gridDim.x + blockIdx.x;
    if (i < n) {
        c[i] = a[i] + b[i];
    }
}
