// cause: the early return has the wrong sense: the threads that have an element leave and those beyond the end work
// first: out_of_bounds inverted
// says: read a[1], but a has 1 element (0..0)
// asks: Which threads come to this access: those that have an element of
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) return;

    a[i] = a[i] * 2.0f;
}
