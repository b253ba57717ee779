// cause: the guard compares the thread number with n
// first: out_of_bounds guarded
// says: read b[257], but b has 257 elements (0..256)
// asks: A condition precedes this access, and it let this thread through. Does it ask about the very index that
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x < n)
        c[i] = a[i] + b[i];
}
