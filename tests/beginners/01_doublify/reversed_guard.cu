// cause: the guard is the wrong way round
// first: out_of_bounds guarded
// says: read a[2], but a has 1 element (0..0)
// asks: A condition stands before this access, and this thread has passed it. Does it ask about the very index that
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > n)
        a[i] = 2 * a[i];
}
