// cause: the guard is the wrong way round
// first: out_of_bounds inverted
// says: read a[2], but a has 1 element (0..0)
// asks: Which threads come to this access: those that have an element of
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > n)
        a[i] = 2 * a[i];
}
