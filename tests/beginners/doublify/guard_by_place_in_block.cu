// cause: the guard compares the place in the block instead of the global index with n (line 11), so in the last block threads beyond n go out of bounds
// first: out_of_bounds guarded
// says: Line 11 asks t < n: 1 < 257 is true
// asks: Does it ask about the very index that is used, and about the length of a?
extern "C" __global__ void doublify(float *a, int n)
{
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;

    // only threads that have an element
    if (t < n)
    {
        float value = a[i];
        a[i] = value + value;
    }
}
