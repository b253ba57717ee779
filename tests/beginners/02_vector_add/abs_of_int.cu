// cause: abs of an int
// first: x
// says: x
// asks: x
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = abs((int)a[i]) + b[i];
}
