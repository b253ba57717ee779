// cause: b is read from the end
// first: wrong_value other
// says: 30 of 31 elements are wrong.
// asks: Choose one wrong element and compute a[i] + b[i] by hand. What did your kernel compute?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[n - 1 - i];
}
