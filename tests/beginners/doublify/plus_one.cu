// cause: the index begins at 1: element 0 is left and the last access is beyond the end
// first: out_of_bounds guarded
// says: read a[1], but a has 1 element (0..0)
// asks: A condition precedes this access, and it let this thread through. Does it ask about the very index that
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
    if (i <= n)
        a[i] = 2 * a[i];
}
