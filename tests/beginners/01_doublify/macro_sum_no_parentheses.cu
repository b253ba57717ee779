// cause: a macro is a sum without parentheses
// first: race_global update
// says: a[256] written by thread (128,0,0) of block (0,0,0) (line 12) and read by thread (0,0,0) of block (1,0,0)
// asks: Line 10 first: What does this line say once the name is replaced by the text of its definition?
#define HALF_BLOCK 128
#define BLOCK HALF_BLOCK + HALF_BLOCK

extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n)
        a[i] = a[i] * 2.0f;
}
