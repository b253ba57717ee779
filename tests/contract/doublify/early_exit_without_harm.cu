// page: reference.md
// says: In a lab that fails the test, even if nothing is missing in this run.
// expect: early_exit
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        a[i] *= 2;
    }
    if (threadIdx.x >= 32) {
        return;
    }
    __syncthreads();
}
