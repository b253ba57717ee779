// expect: compile - a terabyte of device memory
__device__ float huge[1ull << 38];
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = huge[(size_t)i << 30];
}
