// cause: the sum is stored in an int
// first: wrong_value typed
// says: powers of 64 up to 2^18, the result is right: each element counts as often as it should.
// asks: What becomes of a fraction, or of a negative number, on its way?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int sum = a[i] + b[i];
        c[i] = sum;
    }
}
