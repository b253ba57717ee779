// cause: `atomicAdd(&fixed, (unsigned)(v * SCALE));` sums values up to 4 * 2^24 in 32 bits: from 64 elements per block on the sum exceeds 2^32 and wraps
// first: wrong_value wrapped
// says: The sum is too small by 768, which is 3 times 256 = 2^8, as if a number on the way started again at 0 whenever it should reach 256.
// asks: Of which type is that number, and what is the largest one that this type holds?
// Integers add up to the same sum in any order, so the sum of a block is kept as a fixed-point number.
#define SCALE 16777216.0f

extern "C" __global__ void pi_sum(float *partial, int n)
{
    __shared__ unsigned fixed;
    if (threadIdx.x == 0)
        fixed = 0;
    __syncthreads();

    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < n) {
        float x = (float)id / (float)n;
        float v = 4.0f / (1.0f + x * x);
        atomicAdd(&fixed, (unsigned)(v * SCALE));
    }
    __syncthreads();

    if (threadIdx.x == 0)
        partial[blockIdx.x] = (float)fixed / SCALE;
}

extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    __shared__ float s[256];
    float v = 0.0f;
    for (int k = threadIdx.x; k < blocks; k += 256)
        v += partial[k];
    s[threadIdx.x] = v;
    __syncthreads();
    for (int d = 128; d > 0; d /= 2) {
        if (threadIdx.x < d)
            s[threadIdx.x] += s[threadIdx.x + d];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        partial[0] = s[0];
}
