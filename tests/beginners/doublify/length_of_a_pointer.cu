// cause: sizeof(a) / sizeof(a[0]) is the size of a pointer over that of a float, 2, and not the length of the array (line 10), so only two elements are doubled, the second even if n = 1
// first: out_of_bounds guarded
// says: LENGTH takes the size of a, which is a pointer
// asks: Does it ask about the very index that is used
#define LENGTH(x) (sizeof(x) / sizeof((x)[0]))

extern "C" __global__ void doublify(float *a, int n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < LENGTH(a))
        a[i] = 2.0f * a[i];
}
