// cause: the guard compares with a fixed length of 1000 instead of the parameter n (line 10)
// first: out_of_bounds guarded
// says: Line 10 asks i < N: 1 < 1000 is true
// asks: Does it ask about the very index that is used, and about the length of b?
#define N 1000

extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        c[i] = a[i] + b[i];
    }
}
