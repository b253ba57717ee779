// cause: the mask of the second shuffle has 8 bits, for 8 warps
// first: sync_mask unnamed
// says: the mask 0x000000ff leaves out lane 8, which executes this line
// asks: Which bits are set, and which lanes execute this line?
extern "C" __global__ void pi_sum(float *partial, int n)
{
    __shared__ float s[8];
    int t = threadIdx.x, id = blockIdx.x * 256 + t;
    float x = (float)id / n;
    float v = id < n ? 4.0f / (1.0f + x * x) : 0.0f;
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_down_sync(0xffffffff, v, d);
    if (t % 32 == 0)
        s[t / 32] = v;
    __syncthreads();
    if (t < 32) {
        v = t < 8 ? s[t] : 0.0f;
        for (int d = 4; d > 0; d /= 2)
            v += __shfl_down_sync(0xff, v, d);
    }
    if (t == 0)
        partial[blockIdx.x] = v;
}

extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    if (threadIdx.x > 0)
        return;
    float sum = 0;
    for (int k = 0; k < blocks; k++)
        sum += partial[k];
    partial[0] = sum;
}
