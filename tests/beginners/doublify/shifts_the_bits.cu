// cause: shifts the bits of a float as if it were an int
// first: wrong_value other
// says: a[0] is stored at line 11, by thread (0,0,0) of block (0,0,0).
// asks: Which operation makes the one of the other?
extern "C" __global__ void doublify(float *a, int n)
{
    // x << 1 is the fastest way to double
    int *bits = (int *) a;
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n)
        bits[i] = bits[i] << 1;
}
