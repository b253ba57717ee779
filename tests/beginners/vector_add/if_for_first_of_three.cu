// cause: Line 10: without braces the if covers only the next statement; b[i] is read and c[i] written by the threads with i >= n, too: out of bounds.
// first: out_of_bounds guard
// says: read b[1], but b has 1 element (0..0)
// asks: Line 10 first: Which statements should this if, else or loop be for, and which ones is it for?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    float x = 0.0f, y = 0.0f;
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        x = a[i];
        y = b[i];
        c[i] = x + y;
}
