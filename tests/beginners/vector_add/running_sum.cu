// cause: c[i] = c[i - 1] + a[i]: reads c, which nobody has written
// first: race_warp chain
// says: one thread needs what the other replaces, and nothing says which comes first
// asks: Which element does this line read, and which one does it change? Is it one and the same?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n)
        c[i] = c[i - 1] + a[i] + b[i];
    if (i == 0)
        c[0] = a[0] + b[0];
}
