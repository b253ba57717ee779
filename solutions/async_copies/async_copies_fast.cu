/* The filter as fast as memory allows.
 *
 *   fours      copies of 16 bytes: a quarter of the instructions, and past the first-level cache. Each thread computes four
 *              neighbouring results from 20 samples, which it reads as five float4: 1.25 reads for a result instead of 16.
 *   ring       three stages of 1024 results: while one is computed, the copies of two more are under way.
 *   barrier    one for each tile. The copies into a stage are started behind the barrier that all threads reach only when they
 *              have computed the tile that was there before.
 */

#include <cuda_pipeline.h>

#define BLOCK 256
#define EACH 4                  // results of a thread in a tile
#define TILE (EACH * BLOCK)     // results of a tile
#define STRIP 8192              // results of a block
#define WEIGHTS 16
#define SAMPLES (TILE + WEIGHTS)    // that a tile copies: one more than it needs, a multiple of 4
#define STAGES 3

// Starts the copies of a tile's samples, of which `count` exist in this strip: four at a time, and one by one at the end.
__device__ void start_copies(float *to, const float *from, int count)
{
    for (int s = EACH * threadIdx.x; s < SAMPLES && s < count; s += TILE) {
        if (s + EACH <= count) {
            __pipeline_memcpy_async(&to[s], &from[s], sizeof(float4));
        } else {
            for (int k = s; k < count; k++) {
                __pipeline_memcpy_async(&to[k], &from[k], sizeof(float));
            }
        }
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK) filter(const float *__restrict__ in, const float *__restrict__ weights,
                                                           float *__restrict__ out, int n)
{
    __shared__ __align__(16) float stages[STAGES][SAMPLES];
    int first = blockIdx.x * STRIP;
    int results = n - first < STRIP ? n - first : STRIP;
    int samples = results + WEIGHTS - 1;
    int tiles = (results + TILE - 1) / TILE;

    float w[WEIGHTS];
#pragma unroll
    for (int k = 0; k < WEIGHTS; k++) {
        w[k] = weights[k];
    }

#pragma unroll
    for (int t = 0; t < STAGES - 1; t++) {
        start_copies(stages[t], in + first + t * TILE, samples - t * TILE);
        __pipeline_commit();
    }

    for (int t = 0; t < tiles; t++) {
        __pipeline_wait_prior(STAGES - 2);    // this thread's copies of tile t are complete
        __syncthreads();                      // everybody's are, and everybody has computed tile t - 1
        int next = t + STAGES - 1;            // goes where tile t - 1 was
        start_copies(stages[next % STAGES], in + first + next * TILE, samples - next * TILE);
        __pipeline_commit();

        int r = t * TILE + EACH * threadIdx.x;
        if (r >= results) {
            continue;
        }
        float x[EACH + WEIGHTS], sum[EACH] = {};
        const float4 *fours = (const float4 *)&stages[t % STAGES][EACH * threadIdx.x];
#pragma unroll
        for (int k = 0; k < EACH + WEIGHTS; k += 4) {
            float4 four = fours[k / 4];
            x[k] = four.x, x[k + 1] = four.y, x[k + 2] = four.z, x[k + 3] = four.w;
        }
#pragma unroll
        for (int k = 0; k < WEIGHTS; k++) {
#pragma unroll
            for (int j = 0; j < EACH; j++) {
                sum[j] += w[k] * x[k + j];
            }
        }
        if (r + EACH <= results) {
            *(float4 *)&out[first + r] = make_float4(sum[0], sum[1], sum[2], sum[3]);
        } else {
            for (int j = 0; r + j < results; j++) {
                out[first + r + j] = sum[j];
            }
        }
    }
}
