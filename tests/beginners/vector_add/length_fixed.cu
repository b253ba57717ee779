// cause: the size is fixed at 1000 instead of n, so other lengths run out of bounds or stay incomplete
// first: out_of_bounds guarded
// says: read b[1], but b has 1 element (0..0)
// asks: A condition precedes this access, and it let this thread through. Does it ask about the very index that
#define N 1000

extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        c[i] = a[i] + b[i];
    }
}
