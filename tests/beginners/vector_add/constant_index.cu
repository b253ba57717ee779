// cause: all threads write c[n - 1]
// first: never_written same_element
// says: Line 8 stores c[30] in each of 256 threads.
// asks: What in the index of line 8 differs from thread to thread?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = n - 1;
    c[i] = a[i] + b[i];
}
