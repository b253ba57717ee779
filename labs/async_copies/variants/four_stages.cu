/* filter: a ring of four stages, three batches ahead. */
#include <cuda_pipeline.h>

#define BLOCK 256
#define TILE 256
#define STRIP 8192
#define WEIGHTS 16
#define SAMPLES (TILE + WEIGHTS - 1)
#define STAGES 4

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

    for (int t = 0; t < STAGES - 1; t++) {
        start_copies(stages[t], in + first + t * TILE, samples - t * TILE);
        __pipeline_commit();
    }

    for (int t = 0; t < tiles; t++) {
        int next = t + STAGES - 1;
        start_copies(stages[next % STAGES], in + first + next * TILE, samples - next * TILE);
        __pipeline_commit();
        __pipeline_wait_prior(STAGES - 1);
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
