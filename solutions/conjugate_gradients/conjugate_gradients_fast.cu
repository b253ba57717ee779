/* Conjugate gradients with two launches in an iteration.
 *
 * A thread of turn needs the new direction of its own row and of those that its entries name. It computes each of them
 * itself, from r and the old direction, so that no launch is needed to make them first: reading two numbers for one is
 * cheaper than a launch that reads both and writes one. The new direction goes to another array than the old one, since
 * other threads still read that.
 */

#define BLOCK 256
#define ENTRIES 5
#define WARPS (BLOCK / 32)
#define ALL_LANES 0xffffffffu

// The sum over the lanes of a warp, in lane 0.
__device__ float warp_sum(float part)
{
    for (int distance = 16; distance > 0; distance /= 2) {
        part += __shfl_down_sync(ALL_LANES, part, distance);
    }
    return part;
}

// Adds `part` of all threads of the block to *total.
__device__ void add_up(float part, float *total)
{
    __shared__ float warp_sums[WARPS];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    part = warp_sum(part);
    if (lane == 0) {
        warp_sums[warp] = part;
    }
    __syncthreads();
    if (warp == 0) {
        part = warp_sum(lane < WARPS ? warp_sums[lane] : 0);
        if (lane == 0) {
            atomicAdd(total, part);
        }
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    turn(const int *__restrict__ columns, const float *__restrict__ values, const float *__restrict__ r,
         const float *__restrict__ p, float *__restrict__ next, float *__restrict__ q, const float *__restrict__ rr,
         float *pq, int k, int rows)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    float part = 0, b = k > 0 ? rr[k] / rr[k - 1] : 0;
    if (i < rows) {
        int column[ENTRIES];
        float sum = 0, own = r[i] + b * p[i];
#pragma unroll
        for (int s = 0; s < ENTRIES; s++) {
            column[s] = columns[s * rows + i];
        }
#pragma unroll
        for (int s = 0; s < ENTRIES; s++) {
            float other = column[s] == i ? own : r[column[s]] + b * p[column[s]];
            sum += values[s * rows + i] * other;
        }
        next[i] = own;
        q[i] = sum;
        part = own * sum;
    }
    add_up(part, pq + k);
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    step(float *__restrict__ x, float *__restrict__ r, const float *__restrict__ p, const float *__restrict__ q, float *rr,
         const float *__restrict__ pq, int k, int rows)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    float part = 0, a = rr[k] / pq[k];
    if (i < rows) {
        x[i] += a * p[i];
        float rest = r[i] - a * q[i];
        r[i] = rest;
        part = rest * rest;
    }
    add_up(part, rr + k + 1);
}
