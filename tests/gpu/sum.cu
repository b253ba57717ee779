/* Sum of an array of floats, after the pattern of solutions/pi/pi_fast.cu: each block adds its piece in registers, then
 * over its warps; a second launch of one block adds the blocks' sums. Held against cub::DeviceReduce by `ninja gpu-bench`.
 */
#define BLOCK 512
#define ITEMS 16384

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
    if (threadIdx.x < 32) {
        sum = lane < BLOCK / 32 ? warp_sums[lane] : 0.0f;
        for (int distance = 16; distance > 0; distance /= 2) {
            sum += __shfl_down_sync(0xffffffffu, sum, distance);
        }
    }
    return sum;
}

extern "C" __global__ void __launch_bounds__(BLOCK) sum_blocks(const float *in, float *partial, int n)
{
    int first = blockIdx.x * ITEMS;
    float sum = 0.0f;
    if (n - first >= ITEMS) {
        float4 sums = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
#pragma unroll
        for (int k = 4 * threadIdx.x; k < ITEMS; k += 4 * BLOCK) {
            float4 v = *(const float4 *)&in[first + k];
            sums.x += v.x;
            sums.y += v.y;
            sums.z += v.z;
            sums.w += v.w;
        }
        sum = sums.x + sums.y + (sums.z + sums.w);
    } else {
        for (int i = first + threadIdx.x; i < n; i += BLOCK) {
            sum += in[i];
        }
    }
    sum = block_sum(sum);
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = sum;
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK) sum_finish(const float *partial, float *sum, int blocks)
{
    float own = 0.0f;
    for (int k = threadIdx.x; k < blocks; k += BLOCK) {
        own += partial[k];
    }
    own = block_sum(own);
    if (threadIdx.x == 0) {
        *sum = own;
    }
}
