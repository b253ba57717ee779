// cause: s[i] += a[i]; stores into b, an input that may not change, even though s[i] -= a[i]; takes it back later (not always exactly)
// first: read_only_write
// says: write b[0], but b is an input of this kernel
// asks: Which array does your kernel store to? Which one should it?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float *s = (float *)b;
    if (i < n)
    {
        s[i] += a[i];       // sum
        c[i] = s[i];        // result
        s[i] -= a[i];       // put b back as it was
    }
}
