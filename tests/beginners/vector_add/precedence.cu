// cause: blockIdx + blockDim * threadIdx
// first: never_written elsewhere
// says: Line 9 stores c[0], and nothing else.
// asks: Which elements should line 9 store, and which does it store?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x + blockDim.x * threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}
