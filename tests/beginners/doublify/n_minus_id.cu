// cause: the index from the end is n - id instead of n - 1 - id (line 9), so thread 0 uses a[n], which does not exist
// first: out_of_bounds guarded
// says: i = n - id = 1 - 0 = 1
// asks: Does it ask about the very index that is used
// from the back to the front
extern "C" __global__ void doublify(float *a, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    int i = n - id;
    if (i >= 0)
        a[i] = 2.0f * a[i];
}
