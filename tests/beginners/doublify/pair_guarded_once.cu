// cause: the condition covers the first element of the pair only
// first: out_of_bounds guarded
// says: read a[1], but a has 1 element (0..0)
// asks: Does it ask about the very index that is used, and about the length of
extern "C" __global__ void doublify(float *a, int n)
{
    // two neighbours per thread
    int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n)
    {
        a[i]     *= 2.0f;
        a[i + 1] *= 2.0f;
    }
}
