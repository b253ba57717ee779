// cause: the threads beyond n store a zero before they return, to elements of c that do not exist
// first: out_of_bounds guarded
// says: write c[1], but c has 1 element (0..0)
// asks: A condition stands before this access, and this thread has passed it. Does it ask about the very index that
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n) {
        c[i] = 0.0f;
        return;
    }
    c[i] = a[i] + b[i];
}
