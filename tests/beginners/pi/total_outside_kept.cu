// cause: pi_finish: the total is kept in a __device__ variable that is never set back to 0 (line 21), so a later launch adds to the total of an earlier one
// first: wrong_value kept
// says: Line 28 adds to grand_total, a variable that keeps its value from one launch to the next, and no line sets it again
// asks: What does the variable in the message hold when a launch begins, and what when the next one does?
extern "C" __global__ void pi_sum(float *partial, int n)
{
    __shared__ float sum_of_block;
    if (threadIdx.x == 0)
        sum_of_block = 0.0f;
    __syncthreads();
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < n) {
        float x = id / (float)n;
        atomicAdd(&sum_of_block, 4.0f / (1.0f + x * x));
    }
    __syncthreads();
    if (threadIdx.x == 0)
        partial[blockIdx.x] = sum_of_block;
}

__device__ float grand_total;        // 0 at the start

extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    float mine = 0.0f;
    for (int k = threadIdx.x; k < blocks; k += blockDim.x)
        mine += partial[k];
    atomicAdd(&grand_total, mine);
    __syncthreads();
    if (threadIdx.x == 0)
        partial[0] = grand_total;
}
