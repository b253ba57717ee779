// cause: c starts as rubbish
// first: uninitialized output
// says: c[0] is computed from c[0], which was never written: it is read at line 9 and goes into the result at line 9
// asks: What is in c before the launch?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] += a[i] + b[i];
}
