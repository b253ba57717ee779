// page: pi.md
// says: Which block adds which of them is up to you: partial[b] is not compared with anything, only their total is.
// expect: pass
extern "C" __constant__ int pi_finish_block = 512;
extern "C" __global__ void mapper(float *dest, int n)    // half of the first plan
{
    dest[0] = n;
}

__device__ float sum_of_block(float value)
{
    __shared__ float sums[512];
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
    float sum = 0;
    for (int i = blockIdx.x + threadIdx.x * gridDim.x; i < n; i += gridDim.x * blockDim.x) {
        float x = (float)i / n;
        sum += 4 / (1 + x * x);
    }
    sum = sum_of_block(sum);
    if ((size_t)partial % 256 != 0) {
        __trap();
    }
    if (threadIdx.x == 0) {
        partial[gridDim.x - 1 - blockIdx.x] = sum;
    }
}

extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    float sum = 0;
    if (blockDim.x != 512 || gridDim.x != 1) {
        __trap();
    }
    for (int i = threadIdx.x; i < blocks; i += blockDim.x) {
        sum += partial[i];
    }
    sum = sum_of_block(sum);
    if (threadIdx.x == 0) {
        partial[0] = sum;
    }
}
