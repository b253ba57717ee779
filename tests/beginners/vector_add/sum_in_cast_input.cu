// cause: Line 11 stores the sum into the input a (through a pointer without const), but a must not change.
// first: read_only_write
// says: write a[0], but a is an input of this kernel
// asks: Which array does your kernel store to?
// numpy: a += b; c = a
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    float *acc = (float *)a;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        acc[i] += b[i];
        c[i] = acc[i];
    }
}
