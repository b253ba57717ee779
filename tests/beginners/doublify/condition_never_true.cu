// cause: i < 0 && i >= n is never true, so no thread returns; besides, it adds 2
// first: out_of_bounds guarded
// says: read a[1], but a has 1 element (0..0)
// asks: Does it ask about the very index that is used, and about the length of
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < 0 && i >= n)
        return;

    a[i] = a[i] + 2;
}
