// cause: Line 7: the index is a float, which cannot hold odd numbers above 2^24, so with n = 2^24 + 11 the odd elements beyond 2^24 are never written (and even ones are written by several threads).
// first: never_written narrow
// says: Thread (1,0,0) of it stores c[16777216]. The index is made of a float (line 7), which holds each whole number only up to 16777216.
// asks: Which type has the variable that cannot hold its number
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    float idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (idx < n) {
        int k = idx;
        c[k] = a[k] + b[k];
    }
}
