// cause: a macro is a sum without parentheses
// first: never_written elsewhere
// says: a[0..127] still hold what they held before the launch: no thread changed the first 128 of the 255 elements. Line 12 stores a[128..254].
// asks: Line 10 first: What does this line say once the name is replaced by the text of its definition?
#define HALF_BLOCK 128
#define BLOCK HALF_BLOCK + HALF_BLOCK

extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n)
        a[i] = a[i] * 2.0f;
}
