// cause: Line 11: the sum is accumulated in a[i] itself (const cast away), so the input a is changed.
// first: read_only_write
// says: write a[0], but a is an input of this kernel
// asks: Which array does your kernel store to? Which one should it?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
    {
        float *acc = (float *)&a[i];
        *acc += b[i];
        c[i] = *acc;
    }
}
