// cause: a semicolon ends the if
// first: out_of_bounds empty
// says: read a[1], but a has 1 element (0..0)
// asks: Line 8 first: Which statement is this if for?
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n);
        a[i] = 2 * a[i];
}
