/* pi, the fused plan: two launches instead of 21, and the mapped values never reach memory.
 *
 * pi_sum     each block adds up its items in registers, then over its warps, and leaves one float in partial[blockIdx.x].
 * pi_finish  one block adds up the partial sums and leaves the total in partial[0]; pi is partial[0] / n.
 */

#define BLOCK 256
#define ITEMS 4096

extern "C" __constant__ int pi_sum_items = ITEMS;

// Sum of `value` over the block. Only thread 0's result counts. All threads of the block must call it.
__device__ float block_sum(float value)
{
    __shared__ float warp_sums[BLOCK / 32];
    int lane = threadIdx.x % 32;

    for (int distance = 16; distance > 0; distance /= 2) {
        value += __shfl_down_sync(0xffffffffu, value, distance);
    }
    if (lane == 0) {
        warp_sums[threadIdx.x / 32] = value;
    }
    __syncthreads();    // every warp's sum is in warp_sums
    float sum = 0.0f;
    if (threadIdx.x == 0) {
        for (int warp = 0; warp < BLOCK / 32; warp++) {
            sum += warp_sums[warp];
        }
    }
    return sum;
}

extern "C" __global__ void __launch_bounds__(BLOCK) pi_sum(float *partial, int n)
{
    float sum = 0.0f;
    for (int k = threadIdx.x; k < ITEMS; k += BLOCK) {
        int id = blockIdx.x * ITEMS + k;
        if (id < n) {
            float x = (float)id / (float)n;
            sum += 4.0f / (1.0f + x * x);
        }
    }
    sum = block_sum(sum);
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = sum;
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK) pi_finish(float *partial, int blocks)
{
    float sum = 0.0f;
    for (int k = threadIdx.x; k < blocks; k += BLOCK) {
        sum += partial[k];
    }
    // Thread 0 overwrites partial[0] only after the barrier in block_sum, when all threads have read.
    sum = block_sum(sum);
    if (threadIdx.x == 0) {
        partial[0] = sum;
    }
}
