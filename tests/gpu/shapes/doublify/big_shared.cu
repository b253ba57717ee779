// one small block at a time on each multiprocessor, because of its shared memory
extern "C" __constant__ int doublify_block[3] = {64, 1, 1};

extern "C" __global__ void doublify(float *a, int n)
{
    __shared__ float s[12000];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    s[threadIdx.x * 40] = i < n ? a[i] : 0.0f;
    __syncthreads();
    if (i < n)
        a[i] = 2.0f * s[threadIdx.x * 40];
}
