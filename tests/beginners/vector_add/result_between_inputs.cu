// cause: the parameters are in the order x, result, y; the lab passes the result last
// first: read_only_write
// says: write result[0], but result is an input of this kernel
// asks: The launch passes a, b, c, n in this order, and your kernel calls them x, result, y, n.
extern "C" __global__ void vector_add(const float *x, float *result, const float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        result[i] = x[i] + y[i];
}
