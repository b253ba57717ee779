// cause: Line 8: the condition chooses only the value; the threads with i >= n still store a 0 at c[i], out of bounds.
// first: out_of_bounds guard
// says: write c[1], but c has 1 element (0..0)
// asks: Which threads have nothing to do?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    c[i] = (i < n) ? a[i] + b[i] : 0.0f;
}
