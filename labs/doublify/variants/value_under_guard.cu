// expect: pass - a variable gets its value under a guard and is used only under the same guard
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float value;
    if (i < n) {
        value = a[i];
    }
    __syncthreads();   // needless
    if (i < n) {
        a[i] = value + value;
    }
}
