// cause: one thread copies a into c while the others already add to it
// first: race_warp
// says: they are in one warp, and still nothing makes one wait for the other
// asks: What must every thread of the block have finished before any of them goes on to line 16?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int base = blockIdx.x * blockDim.x;
    int i = base + threadIdx.x;

    if (threadIdx.x == 0) {
        for (int k = base; k < base + 256 && k < n; k++)
            c[k] = a[k];
    }

    if (i < n) {
        c[i] += b[i];
    }
}
