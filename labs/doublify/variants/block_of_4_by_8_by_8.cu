// expect: pass - blocks in three directions, 4 x 8 x 8
extern "C" __constant__ int doublify_block[3] = {4, 8, 8};

__device__ int my_index(void)
{
    int in_block = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    int block_size = blockDim.x * blockDim.y * blockDim.z;
    return blockIdx.x * block_size + in_block;
}

extern "C" __global__ void doublify(float *a, int n)
{
    const int i = my_index();
    if (!(i < n)) return;
    a[i] *= 2.0f;
}
