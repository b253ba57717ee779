// expect: never_written - the guard takes n for the number of pairs: the second half is never touched
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / 2) {
        a[i] = a[i] + a[i];
    }
}
