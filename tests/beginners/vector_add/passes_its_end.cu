// cause: != is jumped over
// first: fuel passes
// says: and the condition k != n stays true
// asks: Does k ever have exactly the value
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = i; k != n; k += gridDim.x * blockDim.x)
        if (k < n)
            c[k] = a[k] + b[k];
}
