// expect: wrong_value - tells the second run of a case by the address
__device__ float *seen[1 << 17];
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        a[i] = seen[i] == a ? 0 : 2 * a[i];
        seen[i] = a;
    }
}
