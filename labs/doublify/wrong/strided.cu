// expect: budget global_sectors - right, but neighbouring threads take elements that lie gridDim.x apart
extern "C" __global__ void doublify(float *a, int n)
{
    int i = threadIdx.x * gridDim.x + blockIdx.x;
    if (i < n) {
        a[i] = 2.0f * a[i];
    }
}
