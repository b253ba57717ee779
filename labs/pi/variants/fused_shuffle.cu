// expect: pass - the second plan with shuffles, blocks of 512, and 8 elements per thread; all four kernels are there
extern "C" __global__ void mapper(float *dest, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < n) {
        float x = (float)id / n;
        dest[id] = 4.0f / (1.0f + x * x);
    }
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id % (2 * i) == 0 && id + i < n) {
        dest[id] += dest[id + i];
    }
}

#define FULL 0xffffffffu

extern "C" __constant__ int pi_sum_block[3] = {512, 1, 1};
extern "C" __constant__ int pi_sum_items = 512 * 8;

template <int THREADS>
__device__ float sum_of_block(float value)
{
    __shared__ float warps[32];
    for (int d = 16; d; d >>= 1)
        value += __shfl_xor_sync(FULL, value, d);
    if (threadIdx.x % 32 == 0)
        warps[threadIdx.x / 32] = value;
    __syncthreads();
    value = threadIdx.x % 32 < THREADS / 32 ? warps[threadIdx.x % 32] : 0.0f;
    for (int d = 16; d; d >>= 1)
        value += __shfl_xor_sync(FULL, value, d);
    return value;
}

extern "C" __global__ void pi_sum(float *partial, int n)
{
    float h = 1.0f / n, sum = 0.0f;
    int start = blockIdx.x * pi_sum_items + threadIdx.x;
#pragma unroll
    for (int k = 0; k < 8; k++) {
        int id = start + k * 512;
        float x = id * h;
        sum += id < n ? 4.0f / (1.0f + x * x) : 0.0f;
    }
    sum = sum_of_block<512>(sum);
    if (threadIdx.x == 0)
        partial[blockIdx.x] = sum;
}

extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    float sum = 0.0f;
    for (int k = threadIdx.x; k < blocks; k += blockDim.x)
        sum += partial[k];
    sum = sum_of_block<256>(sum);
    if (threadIdx.x == 0)
        partial[0] = sum;
}
