// cause: every other element is left out
// first: never_written elsewhere
// says: Line 9 stores every 2nd element from c[0] to c[30].
// asks: Which elements should line 9 store, and which does it store?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n)
        c[i] = a[i] + b[i];
}
