// cause: blockIdx + blockDim * threadIdx
// first: never_written
// says: Elements 1..30 of c, the last ones, were never written.
// asks: Which thread should have done them?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x + blockDim.x * threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}
