// cause: the guard compares with the number of threads in the grid instead of n (line 9); it is always true, so threads beyond n go out of bounds
// first: out_of_bounds guarded
// says: Line 9 asks i < size: 1 < 256 is true. size = gridDim.x*blockDim.x = 256
// asks: Does it ask about the very index that is used, and about the length of b?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int size = gridDim.x * blockDim.x;
    if (i < size)
        c[i] = a[i] + b[i];
}
