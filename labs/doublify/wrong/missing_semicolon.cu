// expect: compile line=5 - a semicolon is missing
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x
    if (i < n) {
        a[i] = 2.0f * a[i];
    }
}
