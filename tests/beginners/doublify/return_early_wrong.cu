// cause: returns if i < n
// first: out_of_bounds inverted
// says: read a[1], but a has 1 element (0..0)
// asks: Which threads come to this access: those that have an element of
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        return;
    a[i] = 2 * a[i];
}
