// cause: the mask of the shuffle has 16 bits
// first: sync_mask unnamed
// says: the mask 0x0000ffff leaves out lane 16, which executes this line
// asks: Which bits are set, and which lanes execute this line?
#define WARP 32

__device__ float warpReduceSum(float val)
{
    for (int offset = WARP / 2; offset > 0; offset /= 2)
        val += __shfl_down_sync(0xffff, val, offset);
    return val;
}

__device__ float blockReduceSum(float val)
{
    static __shared__ float shared[WARP];
    int lane = threadIdx.x % WARP;
    int wid = threadIdx.x / WARP;
    val = warpReduceSum(val);
    if (lane == 0) shared[wid] = val;
    __syncthreads();
    val = (threadIdx.x < blockDim.x / WARP) ? shared[lane] : 0;
    if (wid == 0) val = warpReduceSum(val);
    return val;
}

extern "C" __global__ void pi_sum(float *partial, int n)
{
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        float x = (float)i / (float)n;
        sum += 4.0f / (1.0f + x * x);
    }
    sum = blockReduceSum(sum);
    if (threadIdx.x == 0) partial[blockIdx.x] = sum;
}

extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    float sum = 0;
    for (int i = threadIdx.x; i < blocks; i += blockDim.x) sum += partial[i];
    sum = blockReduceSum(sum);
    if (threadIdx.x == 0) partial[0] = sum;
}
