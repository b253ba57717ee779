// cause: b is read from the end
// first: wrong_value moved
// says: c[0] is made of b[30], and should be made of b[0].
// asks: Which line reads b for c[0], and which index does it compute?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[n - 1 - i];
}
