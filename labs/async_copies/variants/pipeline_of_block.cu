/* filter: a pipeline of the block, with a stage for each of its tiles. */
#include <cooperative_groups.h>
#include <cuda/pipeline>

namespace cg = cooperative_groups;

#define BLOCK 256
#define TILE 256
#define STRIP 8192
#define WEIGHTS 16
#define SAMPLES (TILE + WEIGHTS - 1)
#define STAGES 2

extern "C" __global__ void __launch_bounds__(BLOCK) filter(const float *in, const float *weights, float *out, int n)
{
    __shared__ float stages[STAGES][SAMPLES];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, STAGES> state;
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    int first = blockIdx.x * STRIP;
    int results = n - first < STRIP ? n - first : STRIP;
    int samples = results + WEIGHTS - 1;
    int tiles = (results + TILE - 1) / TILE;
    float w[WEIGHTS];
#pragma unroll
    for (int k = 0; k < WEIGHTS; k++) {
        w[k] = weights[k];
    }

    int started = 0;
    for (int t = 0; t < tiles; t++) {
        for (; started < tiles && started < t + STAGES; started++) {
            int left = samples - started * TILE;
            pipe.producer_acquire();
            cuda::memcpy_async(block, stages[started % STAGES], in + first + started * TILE,
                               sizeof(float) * (left < SAMPLES ? left : SAMPLES), pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();

        int r = t * TILE + threadIdx.x;
        if (r < results) {
            float sum = 0;
#pragma unroll
            for (int k = 0; k < WEIGHTS; k++) {
                sum += w[k] * stages[t % STAGES][threadIdx.x + k];
            }
            out[first + r] = sum;
        }
        pipe.consumer_release();
    }
}
