// cause: takes the larger one
// first: wrong_value other
// says: 31 of 31 elements are wrong.
// asks: What did your kernel compute?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = fmaxf(a[i], b[i]);
}
