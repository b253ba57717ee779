// cause: element 0 is left out
// first: never_written
// says: Element 0 of c, the first, was never written.
// asks: Which thread should have done it?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n)
        c[i] = a[i] + b[i];
}
