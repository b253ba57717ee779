// page: reference.md
// says: Only an `atomicAdd` on a float in global memory turns them into 0.
// expect: wrong_value
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        atomicAdd(&a[i], a[i]);
    }
}
