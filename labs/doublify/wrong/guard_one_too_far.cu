// expect: out_of_bounds line=6 - the guard says i <= n, but the last element is a[n - 1]
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n) {
        a[i] *= 2.0f;
    }
}
