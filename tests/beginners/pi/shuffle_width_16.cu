// cause: `v += __shfl_down_sync(0xffffffffu, v, d, 16);` has a width of 16: lanes 16..31 never reach lane 0, and at d = 16 each lane adds itself; the sum of a warp is twice that of its first 16 lanes
// first: wrong_value doubled
// says: This is twice the sum.
// asks: Line 8 first: From which lane does each lane get a value at this line, and does that lane exist?
__inline__ __device__ float warpReduceSum(float v)
{
    for (int d = warpSize / 2; d > 0; d /= 2)
        v += __shfl_down_sync(0xffffffffu, v, d, 16);
    return v;
}

__inline__ __device__ float blockReduceSum(float v)
{
    __shared__ float shared[32];
    int lane = threadIdx.x % warpSize;
    int wid = threadIdx.x / warpSize;

    v = warpReduceSum(v);
    if (lane == 0) shared[wid] = v;
    __syncthreads();

    float total = 0.0f;
    if (threadIdx.x == 0)
        for (int w = 0; w < blockDim.x / warpSize; w++)
            total += shared[w];
    return total;
}

extern "C" __global__ void pi_sum(float *partial, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    float v = 0.0f;
    if (id < n) {
        float x = (float)id / n;
        v = 4.0f / (1.0f + x * x);
    }
    v = blockReduceSum(v);
    if (threadIdx.x == 0) partial[blockIdx.x] = v;
}

extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    float v = 0.0f;
    for (int k = threadIdx.x; k < blocks; k += blockDim.x)
        v += partial[k];
    v = blockReduceSum(v);
    if (threadIdx.x == 0) partial[0] = v;
}
