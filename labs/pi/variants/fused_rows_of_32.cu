// expect: pass - second plan: blocks of 32 x 8 threads for 1024 elements, and 512 threads in pi_finish
#define ITEMS 1024
extern "C" __constant__ int pi_sum_block[3] = {32, 8, 1};
extern "C" __constant__ int pi_sum_items = ITEMS;
extern "C" __constant__ int pi_finish_block[3] = {512, 1, 1};

extern "C" __global__ void pi_sum(float *partial, int n)
{
    __shared__ float rows[8][32];
    int end = (blockIdx.x + 1) * ITEMS;
    if (end > n) end = n;

    float s = 0.0f;
    for (int k = blockIdx.x * ITEMS + threadIdx.y * 32 + threadIdx.x; k < end; k += 256) {
        float x = (float)k / n;
        s += 4.0f / (1.0f + x * x);
    }
    rows[threadIdx.y][threadIdx.x] = s;
    __syncthreads();

    // first over the rows, then warp 0 does the columns
    if (threadIdx.y == 0) {
        for (int r = 1; r < 8; r++)
            s += rows[r][threadIdx.x];
        for (int o = 16; o > 0; o /= 2)
            s += __shfl_xor_sync(0xffffffff, s, o);
        if (threadIdx.x == 0)
            partial[blockIdx.x] = s;
    }
}

extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    __shared__ float t[512];
    float s = 0.0f;
    for (int k = threadIdx.x; k < blocks; k += 512)
        s += partial[k];
    t[threadIdx.x] = s;
    for (int w = 256; w > 0; w >>= 1) {
        __syncthreads();
        if (threadIdx.x < w)
            t[threadIdx.x] += t[threadIdx.x + w];
    }
    if (threadIdx.x == 0)
        partial[0] = t[0];
}
