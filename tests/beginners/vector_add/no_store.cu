// cause: computes into a local variable
// first: never_written no_store
// says: No line of vector_add stores into c.
// asks: On which line of vector_add does an element of c get its new value?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    if (i < n)
        sum = a[i] + b[i];
}
