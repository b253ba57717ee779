// cause: if (0 <= i < n) compares the truth value of 0 <= i, that is 1, with n: true for every thread if n > 1 (out of bounds), false for all if n = 1 (never written)
// first: out_of_bounds guarded
// says: read a[16], but a has 16 elements (0..15)
// asks: Line 8 first: Say in words when this condition should be true.
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (0 <= i < n)
        a[i] = a[i] * 2;
}
