// cause: each thread takes every second element only
// first: never_written elsewhere
// says: From one thread to the next, the index of line 8 grows by 2.
// asks: Which elements should line 8 store
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) c[i] = a[i] + b[i];
}
