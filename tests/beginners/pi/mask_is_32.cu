// cause: pi_finish: the mask of the shuffle is the number of lanes, 32, instead of a bit for each lane (line 36); it names lane 5 only, and the lanes that call are not in it
// first: sync_mask unnamed
// says: the mask 0x00000020 leaves out lane 0, which executes this line
// asks: Which bits are set, and which lanes execute this line?
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

#define LANES 32
extern "C" __constant__ int pi_finish_block[3] = {LANES, 1, 1};       // one warp is enough

extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    int lane = threadIdx.x;
    float sum = 0.0f;
    for (int k = lane; k < blocks; k += LANES)
        sum += partial[k];
    for (int d = LANES / 2; d > 0; d /= 2)
        sum += __shfl_down_sync(LANES, sum, d);
    if (lane == 0)
        partial[0] = sum;
}
