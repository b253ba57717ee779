// cause: returns if i < n
// first: out_of_bounds guard
// says: read a[1], but a has 1 element (0..0)
// asks: How many threads does the grid have, and how many elements are there?
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        return;
    a[i] = 2 * a[i];
}
