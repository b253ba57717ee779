// cause: The loop counter in line 12 is unsigned, so k >= 0 is always true: after the first element k wraps around to about 4 billion and the accesses are out of bounds.
// first: out_of_bounds
// says: b has 1 element (0..0)
// asks: Can it ever be below 0?
// last element first
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    int step = gridDim.x * blockDim.x;
    if (idx >= n)
        return;
    for (unsigned int k = n - 1 - idx; k >= 0; k -= step)
        c[k] = a[k] + b[k];
}
