// cause: abs of an int
// first: wrong_value typed
// says: Every wrong element of c is exactly the element of b in the same place.
// asks: What becomes of a fraction, or of a negative number, on its way?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = abs((int)a[i]) + b[i];
}
