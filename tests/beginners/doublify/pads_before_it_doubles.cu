// cause: threads without an element store a 0 behind the end, and the compiler makes one store of the two
// first: out_of_bounds inverted
// says: write a[1], but a has 1 element (0..0)
// asks: Which threads come to this access: those that have an element of a, or the others?
extern "C" __global__ void doublify(float *a, int n)
{
    int me = threadIdx.x + blockIdx.x * blockDim.x;
    if (me >= n)
        a[me] = 0;
    else
        a[me] = a[me] + a[me];
}
