// cause: i <= n lets one index too many pass; the store of the other branch is another one
// first: out_of_bounds guarded
// says: read a[1], but a has 1 element (0..0)
// asks: Does it ask about the very index that is used, and about the length of
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n) {
        a[i] = 2.0f * a[i];
    } else if (i < 0) {
        a[i] = 0.0f;
    }
}
