// cause: a copy-paste slip: a[i] is added to itself and b is never read
// first: wrong_value unused
// says: Nothing that is read from b reaches the result.
// asks: Which line should use b?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        c[i] = a[i] + a[i];
    }
}
