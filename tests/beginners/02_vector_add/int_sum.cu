// cause: the sum is stored in an int
// first: wrong_value other
// says: Every value is a whole number: the fractions are lost.
// asks: Which variable on the way is an int?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int sum = a[i] + b[i];
        c[i] = sum;
    }
}
