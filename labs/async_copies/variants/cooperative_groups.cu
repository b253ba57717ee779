/* filter: the block copies a tile together, and waits together. */
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

namespace cg = cooperative_groups;

#define BLOCK 256
#define TILE 256
#define STRIP 8192
#define WEIGHTS 16
#define SAMPLES (TILE + WEIGHTS - 1)
#define STAGES 2

__device__ void start_copies(cg::thread_block block, float *to, const float *from, int count)
{
    cg::memcpy_async(block, to, from, sizeof(float) * (count < SAMPLES ? count : SAMPLES));
}

extern "C" __global__ void __launch_bounds__(BLOCK) filter(const float *in, const float *weights, float *out, int n)
{
    __shared__ float stages[STAGES][SAMPLES];
    auto block = cg::this_thread_block();
    int first = blockIdx.x * STRIP;
    int results = n - first < STRIP ? n - first : STRIP;
    int samples = results + WEIGHTS - 1;
    int tiles = (results + TILE - 1) / TILE;
    float w[WEIGHTS];
#pragma unroll
    for (int k = 0; k < WEIGHTS; k++) {
        w[k] = weights[k];
    }

    start_copies(block, stages[0], in + first, samples);

    for (int t = 0; t < tiles; t++) {
        if (t + 1 < tiles) {
            start_copies(block, stages[(t + 1) % STAGES], in + first + (t + 1) * TILE, samples - (t + 1) * TILE);
            cg::wait_prior<1>(block);
        } else {
            cg::wait(block);
        }

        int r = t * TILE + threadIdx.x;
        if (r < results) {
            float sum = 0;
#pragma unroll
            for (int k = 0; k < WEIGHTS; k++) {
                sum += w[k] * stages[t % STAGES][threadIdx.x + k];
            }
            out[first + r] = sum;
        }
        block.sync();
    }
}
