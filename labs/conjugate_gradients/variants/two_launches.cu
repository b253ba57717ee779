// expect: pass - the plan of two launches, as one would write it first
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
    turn(const int *columns, const float *values, const float *r,
         const float *p, float *next, float *q, const float *rr, float *pq,
         int k, int rows)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    float part = 0, b = k > 0 ? rr[k] / rr[k - 1] : 0;
    if (i < rows) {
        float sum = 0, own = r[i] + b * p[i];
        for (int s = 0; s < ENTRIES; s++) {
            int c = columns[s * rows + i];
            sum += values[s * rows + i] * (r[c] + b * p[c]);
        }
        next[i] = own;
        q[i] = sum;
        part = own * sum;
    }
    add_up(part, pq + k);
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    step(float *x, float *r, const float *p, const float *q, float *rr,
         const float *pq, int k, int rows)
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
