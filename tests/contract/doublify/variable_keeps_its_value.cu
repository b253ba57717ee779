// page: reference.md
// says: A `__device__` variable keeps its value from launch to launch, also when the grader runs a test again.
// expect: assert
__device__ int launches;
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0 && launches++ != 0) {
        __trap();
    }
    if (i < n) {
        a[i] *= 2;
    }
}
