// expect: out_of_bounds line=5 - the published kernel without a guard: the last block runs beyond the end
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    c[i] = a[i] + b[i];
}
