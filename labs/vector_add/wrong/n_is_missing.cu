// expect: signature - has no parameter n, but a fixed size instead
#define N 1024

extern "C" __global__ void vector_add(const float *a, const float *b, float *c)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        c[i] = a[i] + b[i];
    }
}
