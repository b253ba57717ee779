// cause: each thread does two neighbours but the guard asks only whether the first exists, so for odd n the last thread
// first: out_of_bounds guarded
// says: read a[1], but a has 1 element (0..0)
// asks: A condition precedes this access, and it let this thread through. Does it ask about the very index that
extern "C" __global__ void doublify(float *a, int n)
{
    int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) {
        a[i]     = 2.0f * a[i];
        a[i + 1] = 2.0f * a[i + 1];
    }
}
