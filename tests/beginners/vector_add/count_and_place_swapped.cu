// cause: Line 14 passes i and n in exchanged order, so the helper takes n as the position and i as the count: threads with i > n access element n, out of bounds, and no element is computed.
// first: out_of_bounds
// says: read b[1], but b has 1 element
// asks: How does this index or address come about
__device__ void add_element(const float *x, const float *y, float *z, int count, int pos)
{
    if (pos < count)
        z[pos] = x[pos] + y[pos];
}

extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    add_element(a, b, c, i, n);
}
