// expect: launch - a gigabyte of shared memory
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __shared__ float huge[1 << 28];
    huge[threadIdx.x] = 2;
    __syncthreads();
    if (i < n)
        a[i] *= huge[threadIdx.x];
}
