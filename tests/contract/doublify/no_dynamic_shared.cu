// page: reference.md
// says: an array that is declared `extern __shared__` has no elements
// expect: out_of_bounds
extern "C" __global__ void doublify(float *a, int n)
{
    extern __shared__ float twice[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        twice[threadIdx.x] = 2 * a[i];
        a[i] = twice[threadIdx.x];
    }
}
