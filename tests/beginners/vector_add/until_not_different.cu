// cause: the loop ends only where i is exactly n, and most threads never have that index
// first: out_of_bounds differs
// says: read b[2], but b has 1 element (0..0)
// asks: For which threads does the loop's variable come to exactly the number that ends the loop?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i != n; i += stride)
        c[i] = a[i] + b[i];
}
