// cause: the const of the input is cast away and a is used as the accumulator (line 10): write to an input
// first: read_only_write
// says: write a[0], but a is an input of this kernel
// asks: Which one should it?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    float *acc = (float *)a;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        acc[i] += b[i];
        c[i] = acc[i];
    }
}
