// cause: pi_finish: sets partial[0] to 0 before it has been read (line 30), so the sum of block 0 is lost
// first: wrong_value alone
// says: Line 30 sets partial[0] to 0.0f, and no line before it reads what was there
// asks: What does pi_finish add to it, or do with it?
extern "C" __global__ void __launch_bounds__(256) pi_sum(float *partial, int n)
{
    __shared__ float warps[8];
    int id = blockIdx.x * 256 + threadIdx.x;
    float y = 0.0f;
    if (id < n) {
        float x = (float)id / n;
        y = 4.0f / (1.0f + x * x);
    }
    for (int d = 16; d >= 1; d /= 2)
        y += __shfl_down_sync(0xffffffff, y, d);
    if (threadIdx.x % 32 == 0)
        warps[threadIdx.x / 32] = y;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < 8; w++)
            y += warps[w];
        partial[blockIdx.x] = y;
    }
}

extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    // the total starts at 0
    if (threadIdx.x == 0)
        partial[0] = 0.0f;
    __syncthreads();

    float mine = 0.0f;
    for (int k = threadIdx.x; k < blocks; k += blockDim.x)
        mine += partial[k];
    __syncthreads();
    atomicAdd(&partial[0], mine);
}
