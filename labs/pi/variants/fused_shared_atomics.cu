// expect: pass - second plan: the threads of a block add atomically to one shared cell
extern "C" __global__ void pi_sum(float *partial, int n)
{
    __shared__ float total;
    int number = blockIdx.x * blockDim.x + threadIdx.x;

    if (threadIdx.x == 0) {
        total = 0;
    }
    __syncthreads();
    if (number < n) {
        float x = number * 1.0f / n;
        float y = 4.0f / (1.0f + x * x);
        atomicAdd(&total, y);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = total;
    }
}

extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    __shared__ float total;
    float mine = 0;

    for (int k = threadIdx.x; k < blocks; k = k + blockDim.x) {
        mine = mine + partial[k];
    }
    if (threadIdx.x == 0) {
        total = 0;
    }
    __syncthreads();
    atomicAdd(&total, mine);
    __syncthreads();
    if (threadIdx.x == 0) {
        partial[0] = total;
    }
}
