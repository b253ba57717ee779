// expect: pass - only larger arrays need the barrier, where each value is doubled by a neighbour
extern "C" __global__ void doublify(float *a, int n)
{
    __shared__ float values[1024];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int from = n > 300 && (i ^ 1) < n ? threadIdx.x ^ 1 : threadIdx.x;
    if (i < n)
        values[threadIdx.x] = 2.0f * a[i];
    __syncthreads();
    if (i < n)
        a[blockIdx.x * blockDim.x + from] = values[from];
}
