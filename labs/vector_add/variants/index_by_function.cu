// expect: pass - a block of 64 x 4 threads, whose index a function computes
extern "C" __constant__ int vector_add_block[3] = {64, 4, 1};

__device__ inline int globalThread()
{
    int inBlock = threadIdx.x + blockDim.x * threadIdx.y;
    return inBlock + blockIdx.x * (blockDim.x * blockDim.y);
}

extern "C" __global__ void vector_add(const float *x, const float *y, float *z, int len)
{
    int j = globalThread();
    if (j < len) {
        *(z + j) = *(x + j) + *(y + j);
    }
}
