// cause: the first partial sum is also where all are added
// first: wrong_value doubled
// says: The grader put numbers of its own into partial. This is twice the sum.
// asks: Is something multiplied by 2, or added twice?
extern "C" __global__ void pi_sum(float *partial, int n)
{
    __shared__ float block_sum;
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0) block_sum = 0.0f;
    __syncthreads();
    if (id < n) {
        float x = (float) id / n;
        atomicAdd(&block_sum, 4.0f / (1.0f + x * x));
    }
    __syncthreads();
    if (threadIdx.x == 0) partial[blockIdx.x] = block_sum;
}

extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    for (int k = threadIdx.x; k < blocks; k += blockDim.x)
        atomicAdd(&partial[0], partial[k]);
}
