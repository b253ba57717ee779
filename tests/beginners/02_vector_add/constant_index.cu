// cause: all threads write c[n - 1]
// first: never_written
// says: Elements 0..29 of c were never written.
// asks: Which thread should have done them?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = n - 1;
    c[i] = a[i] + b[i];
}
