// cause: takes sizeof(a), the size of the pointer, for the size of the array
// first: out_of_bounds guarded
// says: read a[1], but a has 1 element (0..0)
// asks: Does it ask about the very index that is used, and about the length of
extern "C" __global__ void doublify(float *a, int n)
{
    int count = sizeof(a) / sizeof(a[0]);
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < count)
        a[i] *= 2.0f;
}
