// cause: every other element is left out
// first: never_written
// says: 15 of 31 elements of c, the first of them c[1], were never written.
// asks: Which threads should have done them?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n)
        c[i] = a[i] + b[i];
}
