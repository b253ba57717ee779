// cause: computes into a local variable
// first: never_written
// says: No element of c was ever written.
// asks: Does the kernel store its result, and in the right array?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    if (i < n)
        sum = a[i] + b[i];
}
