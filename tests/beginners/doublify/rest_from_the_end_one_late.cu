// cause: a[n - threadIdx.x] *= 2.0f; takes a[n] to a[main + 1] for the rest instead of a[n - 1] to a[main]: one element out of bounds and one left out
// first: out_of_bounds guarded
// says: read a[1], but a has 1 element (0..0)
// asks: Does it ask about the very index that is used
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int main_part = n / 256 * 256;

    if (i < main_part)
        a[i] *= 2.0f;

    // the rest, from the end, by the first block
    if (blockIdx.x == 0 && threadIdx.x < n - main_part)
        a[n - threadIdx.x] *= 2.0f;
}
