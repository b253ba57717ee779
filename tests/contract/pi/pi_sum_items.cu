// page: pi.md
// says: n / 256 of them, rounded up, or n / `pi_sum_items` if your file has that line. `partial` has one float for each
// expect: pass
extern "C" __constant__ int pi_sum_items = 1024;
__device__ int sums;    // how many blocks pi_sum had

__device__ float sum_of_block(float value)
{
    __shared__ float sums[256];
    sums[threadIdx.x] = value;
    __syncthreads();
    for (int d = blockDim.x / 2; d > 0; d /= 2) {
        if (threadIdx.x < d) {
            sums[threadIdx.x] += sums[threadIdx.x + d];
        }
        __syncthreads();
    }
    return sums[0];
}

extern "C" __global__ void pi_sum(float *partial, int n)
{
    if (blockDim.x != 256 || gridDim.x != (n + 1023) / 1024) {
        __trap();
    }
    float sum = 0;
    for (int id = blockIdx.x * 1024 + threadIdx.x; id < n && id < (blockIdx.x + 1) * 1024; id += 256) {
        float x = (float)id / n;
        sum += 4 / (1 + x * x);
    }
    sum = sum_of_block(sum);
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = sum;
    }
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        sums = gridDim.x;
    }
}

extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    if (blocks != sums || gridDim.x != 1 || blockDim.x != 256) {
        __trap();
    }
    float sum = 0;
    for (int b = threadIdx.x; b < blocks; b += 256) {
        sum += partial[b];
    }
    sum = sum_of_block(sum);
    if (threadIdx.x == 0) {
        partial[0] = sum;
    }
}
