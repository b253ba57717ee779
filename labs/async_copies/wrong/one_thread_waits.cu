// expect: async_copy - only thread 0 waits, and it can wait for its own copies alone
#include <cuda_pipeline.h>

#define BLOCK 256
#define TILE 256
#define STRIP 8192
#define WEIGHTS 16
#define SAMPLES (TILE + WEIGHTS - 1)
#define STAGES 2

__device__ void start_copies(float *to, const float *from, int count)
{
    for (int s = threadIdx.x; s < count && s < SAMPLES; s += BLOCK) {
        __pipeline_memcpy_async(&to[s], &from[s], sizeof(float));
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK) filter(const float *in, const float *weights, float *out, int n)
{
    __shared__ float stages[STAGES][SAMPLES];
    int first = blockIdx.x * STRIP;
    int results = n - first < STRIP ? n - first : STRIP;
    int samples = results + WEIGHTS - 1;
    int tiles = (results + TILE - 1) / TILE;
    float w[WEIGHTS];
#pragma unroll
    for (int k = 0; k < WEIGHTS; k++) {
        w[k] = weights[k];
    }

    start_copies(stages[0], in + first, samples);
    __pipeline_commit();

    for (int t = 0; t < tiles; t++) {
        if (t + 1 < tiles) {
            start_copies(stages[(t + 1) % STAGES], in + first + (t + 1) * TILE, samples - (t + 1) * TILE);
        }
        __pipeline_commit();
        if (threadIdx.x == 0) {
            __pipeline_wait_prior(1);
        }
        __syncthreads();

        int r = t * TILE + threadIdx.x;
        if (r < results) {
            float sum = 0;
#pragma unroll
            for (int k = 0; k < WEIGHTS; k++) {
                sum += w[k] * stages[t % STAGES][threadIdx.x + k];
            }
            out[first + r] = sum;
        }
        __syncthreads();
    }
}
