// cause: the threads beyond n store a zero before they return, to elements of c that do not exist
// first: out_of_bounds inverted
// says: write c[1], but c has 1 element (0..0)
// asks: Which threads come to this access: those that have an element of
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n) {
        c[i] = 0.0f;
        return;
    }
    c[i] = a[i] + b[i];
}
