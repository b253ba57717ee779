// expect: fuel line=7 - a lock that nobody gives back
__device__ int lock;
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0)
        while (atomicCAS(&lock, 0, 1) != 0) { }
    if (i < n)
        a[i] = 1;
}
