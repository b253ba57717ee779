// cause: Line 5: result is passed by value, so the function changes a copy and c is never written.
// first: never_written no_store
// says: No element of c was ever written. No line of vector_add stores into c.
// asks: Line 7 first: Where does the value that this line stores go when the function ends?
__device__ void add(float x, float y, float result)
{
    result = x + y;
}

extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        add(a[i], b[i], c[i]);
}
