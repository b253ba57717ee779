// expect: out_of_bounds line=7 - the guard lets i = n through
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i > n)
        return;
    c[i] = a[i] + b[i];
}
