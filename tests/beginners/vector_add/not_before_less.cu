// cause: Line 9: ! binds tighter than <, so !idx (0 or 1) is compared with n, which is true for every n >= 2: all threads return and nothing is written.
// first: never_written not_reached
// says: No element of c was ever written.
// asks: What sends the thread in the message past the store
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int idx = blockIdx.x * blockDim.x + threadIdx.x;

    if (!idx < n)
        return;

    c[idx] = a[idx] + b[idx];
}
