// cause: pi_sum: adds the values as whole numbers times 2^24 in 32 bits (line 10); from some 64 elements on the sum of a block is larger than an unsigned holds
// first: wrong_value wrapped
// says: Line 10 declares total as unsigned int
// asks: Of which type is that number, and what is the largest one that this type holds?
/* Floats depend on the order of the additions, whole numbers do not: count in units of 2^-24. */
#define UNIT 16777216.0f

extern "C" __global__ void pi_sum(float *partial, int n)
{
    __shared__ unsigned int total;
    if (threadIdx.x == 0)
        total = 0;
    __syncthreads();
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < n) {
        float x = (float)id / n;
        float y = 4.0f / (1.0f + x * x);
        atomicAdd(&total, (unsigned int)(y * UNIT));
    }
    __syncthreads();
    if (threadIdx.x == 0)
        partial[blockIdx.x] = total / UNIT;
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
