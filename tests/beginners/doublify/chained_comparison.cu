// cause: 0 <= i < n compares 0 or 1 with n
// first: out_of_bounds guarded
// says: read a[16], but a has 16 elements (0..15)
// asks: Say in words when this condition should be true. Does the line say the same?
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (0 <= i < n) {
        a[i] = 2 * a[i];
    }
}
