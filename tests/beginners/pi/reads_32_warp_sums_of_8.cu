// cause: the first warp reads all 32 cells of shared, but a block of 256 threads has filled only 8 of them; the other 24 were never written
// first: uninitialized shared
// says: partial[0] is computed from shared[8], which was never written
// asks: Which cell was used before any thread of the block had stored a value in it?
__inline__ __device__ float warpReduceSum(float val)
{
    for (int offset = warpSize / 2; offset > 0; offset /= 2)
        val += __shfl_down_sync(0xffffffff, val, offset);
    return val;
}

__inline__ __device__ float blockReduceSum(float val)
{
    static __shared__ float shared[32];
    int lane = threadIdx.x % warpSize;
    int wid = threadIdx.x / warpSize;
    val = warpReduceSum(val);
    if (lane == 0) shared[wid] = val;
    __syncthreads();
    if (wid == 0) {
        val = shared[lane];
        val = warpReduceSum(val);
    }
    return val;
}

extern "C" __global__ void pi_sum(float *partial, int n)
{
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        float x = (float)i / n;
        sum += 4.0f / (1.0f + x * x);
    }
    sum = blockReduceSum(sum);
    if (threadIdx.x == 0) partial[blockIdx.x] = sum;
}

extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    float sum = 0;
    for (int i = threadIdx.x; i < blocks; i += blockDim.x)
        sum += partial[i];
    sum = blockReduceSum(sum);
    if (threadIdx.x == 0) partial[0] = sum;
}
