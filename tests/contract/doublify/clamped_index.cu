// page: doublify.md
// says: every thread without an element would double the last one, too, and that is a race
// expect: race_global
extern "C" __global__ void doublify(float *a, int n)
{
    int i = min(blockIdx.x * blockDim.x + threadIdx.x, n - 1);
    a[i] *= 2;
}
