// cause: Line 8: C evaluates (0 <= i) < n, that is 1 < n, whatever i is: the guard lets all threads through for n >= 2 (out of bounds), and none for n = 1.
// first: out_of_bounds guarded
// says: read b[31], but b has 31 elements (0..30)
// asks: Say in words when this condition should be true.
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (0 <= i < n)
        c[i] = a[i] + b[i];
}
