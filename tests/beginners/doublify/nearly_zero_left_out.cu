// cause: if (fabsf(x) < EPS) skips all numbers that are tiny, not only zero: subnormal numbers are left as they were
// first: never_written left
// says: whose element would be
// asks: Which condition makes the thread in the message leave, and should it?
#define EPS 1e-30f

extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    float x = a[i];
    if (fabsf(x) < EPS)
        return;             // twice zero is zero, saves the store
    a[i] = x + x;
}
