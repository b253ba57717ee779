// cause: c[i] = c[i - 1] + a[i]: reads c, which nobody has written
// first: race_warp chain
// says: one thread needs what the other replaces, and nothing says which comes first
// asks: This line reads an element of c that another thread replaces. Which value do you want: the one from before, or
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n)
        c[i] = c[i - 1] + a[i] + b[i];
    if (i == 0)
        c[0] = a[0] + b[0];
}
