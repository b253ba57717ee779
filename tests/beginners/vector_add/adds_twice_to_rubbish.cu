// cause: the sum is added to what c held before, which is rubbish
// first: uninitialized output
// says: c[0] is computed from c[0], which was never written
// asks: What is in c before the launch?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        c[i] += a[i];
        c[i] += b[i];
    }
}
