// expect: out_of_bounds line=7 - writes in front of the array, where a guard might stand
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        a[i] = 2 * a[i];
        a[-1 - i] = 0;
    }
}
