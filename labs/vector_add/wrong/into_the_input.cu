// expect: read_only_write line=6 - stores the sums into a; c is never written
extern "C" __global__ void vector_add(float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        a[i] = a[i] + b[i];
    }
}
