// cause: the loop runs while the index is above n
// first: out_of_bounds inverted
// says: read a[2], but a has 1 element (0..0)
// asks: Which threads come to this access: those that have an element of a, or the others?
extern "C" __global__ void doublify(float *a, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = t; i > n; i += gridDim.x * blockDim.x)
        a[i] *= 2;
}
