// expect: pass - a block of 32 x 8 threads, whose lanes are numbered in one row
extern "C" __constant__ int doublify_block[3] = {32, 8, 1};
extern "C" __constant__ int doublify_items = 256;

extern "C" __global__ void doublify(float *arr, int N)
{
    // x = lane, y = warp
    int inBlock = threadIdx.y * blockDim.x + threadIdx.x;
    int idx = blockIdx.x * (blockDim.x * blockDim.y) + inBlock;
    if (idx < N and idx >= 0)
    {
        arr[idx] = arr[idx] * 2.0f;
    }
}
