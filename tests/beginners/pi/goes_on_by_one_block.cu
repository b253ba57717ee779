// cause: pi_sum: a thread goes on by blockDim.x to the end of the array (line 9), into the elements of the following blocks, which are then added more than once
// first: wrong_value onwards
// says: each block adds its own 256 elements and all elements behind them
// asks: By how much does the index grow from turn to turn?
extern "C" __global__ void pi_sum(float *partial, int n)
{
    __shared__ float s[256];
    float mine = 0.0f;
    for (int id = blockIdx.x * blockDim.x + threadIdx.x; id < n; id += blockDim.x) {
        float x = (float)id / n;
        mine += 4.0f / (1.0f + x * x);
    }
    s[threadIdx.x] = mine;
    __syncthreads();
    for (int d = 128; d > 0; d /= 2) {
        if (threadIdx.x < d)
            s[threadIdx.x] += s[threadIdx.x + d];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        partial[blockIdx.x] = s[0];
}

extern "C" __constant__ int pi_finish_block[3] = {32, 1, 1};

extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    const int lane = threadIdx.x;
    float v = 0.0f;
    for (int b = lane; b < blocks; b += 32)
        v += partial[b];
    v += __shfl_down_sync(0xffffffff, v, 16);
    v += __shfl_down_sync(0xffffffff, v, 8);
    v += __shfl_down_sync(0xffffffff, v, 4);
    v += __shfl_down_sync(0xffffffff, v, 2);
    v += __shfl_down_sync(0xffffffff, v, 1);
    if (lane == 0)
        partial[0] = v;
}
