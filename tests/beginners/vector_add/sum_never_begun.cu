// cause: float sum; is never given a value before sum += a[i];, so every result is computed from an uninitialised variable
// first: uninitialized variable
// says: sum is used here, but nothing has been stored in it before.
// asks: Which variable is used on this line before it got a value?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum;
    if (i < n)
    {
        sum += a[i];
        sum += b[i];
        c[i] = sum;
    }
}
