// cause: Line 8: sizeof(a) is the size of the pointer, so len is 8 / 4 = 2 and line 11 lets only elements 0 and 1 through: the others are never written, and n = 1 is out of bounds at a[1].
// first: out_of_bounds guarded
// says: read a[1], but a has 1 element
// asks: Does it ask about the very index that is used, and about the length of a?
extern "C" __global__ void doublify(float *a, int n)
{
    // how many elements are in a?
    int len = sizeof(a) / sizeof(a[0]);
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < len) {
        a[i] = 2 * a[i];
    }
}
