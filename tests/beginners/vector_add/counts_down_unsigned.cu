// cause: an unsigned number is never below 0
// first: fuel unsigned
// says: k is unsigned, so k >= 0 is always true
// asks: Which values can this variable have? Can it ever be below 0?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    for (unsigned k = i; k >= 0; k -= gridDim.x * blockDim.x)
        if (k < n)
            c[k] = a[k] + b[k];
}
