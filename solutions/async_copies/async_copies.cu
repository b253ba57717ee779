/* A filter over a long signal: each result is a weighted sum of 16 samples.
 *
 * Contract   in has n + 15 floats, weights 16 and out n, all on the device; they do not overlap. Afterwards
 *            out[i] = weights[0] * in[i] + weights[1] * in[i+1] + ... + weights[15] * in[i+15] for every i below n, and in
 *            and weights are as they were. out holds rubbish before the launch.
 * Launch     one launch, blocks of 256 threads, a block for each strip of 8192 results: block b computes those from
 *            8192 b on. It walks over its strip in tiles of 256 results; a tile needs 256 + 15 samples.
 * Rule       samples come into shared memory by asynchronous copies, and the next tile's while the present one's results
 *            are computed.
 * Run        build/lockstep grade async_copies
 * Read       handouts/async_copies.md
 *
 * Add your lines between the marks. Everything else can stay as it is.
 */

#include <cuda_pipeline.h>    // __pipeline_memcpy_async(to, from, bytes), __pipeline_commit(), __pipeline_wait_prior(n)

#define BLOCK 256      // threads of a block
#define TILE 256       // results of a tile
#define STRIP 8192     // results of a block
#define WEIGHTS 16
#define SAMPLES (TILE + WEIGHTS - 1)    // that a tile needs
#define STAGES 2       // tiles in shared memory at a time

// Starts the copies of a tile's samples: to[0] gets from[0], and so on; only `count` of them exist in this strip. Called by
// all threads of the block: which samples does this thread copy?
__device__ void start_copies(float *to, const float *from, int count)
{
    // --- your code ---
    for (int s = threadIdx.x; s < count && s < SAMPLES; s += BLOCK) {
        __pipeline_memcpy_async(&to[s], &from[s], sizeof(float));
    }
    // --- end ---
}

extern "C" __global__ void __launch_bounds__(BLOCK) filter(const float *in, const float *weights, float *out, int n)
{
    __shared__ float stages[STAGES][SAMPLES];

    // This block's strip: where it begins, how many results and tiles it has, and how many samples they need.
    int first = blockIdx.x * STRIP;
    int results = n - first < STRIP ? n - first : STRIP;
    int samples = results + WEIGHTS - 1;
    int tiles = (results + TILE - 1) / TILE;

    // Each thread keeps the weights in registers.
    float w[WEIGHTS];
#pragma unroll
    for (int k = 0; k < WEIGHTS; k++) {
        w[k] = weights[k];
    }

    // Before the first tile can be computed, its samples must be on their way.
    // --- your code ---
    start_copies(stages[0], in + first, samples);
    __pipeline_commit();
    // --- end ---

    for (int t = 0; t < tiles; t++) {
        // Start the copies of the next tile, if there is one. Then wait until those of tile t are complete: the block's,
        // not only this thread's.
        // --- your code ---
        if (t + 1 < tiles) {
            start_copies(stages[(t + 1) % STAGES], in + first + (t + 1) * TILE, samples - (t + 1) * TILE);
        }
        __pipeline_commit();         // a batch for each tile, also where it is empty
        __pipeline_wait_prior(1);    // all batches but the latest: this thread's copies of tile t are complete
        __syncthreads();             // and everybody else's
        // --- end ---

        // Each thread computes a result of tile t, if it exists, from the samples in shared memory.
        // --- your code ---
        int r = t * TILE + threadIdx.x;
        if (r < results) {
            float sum = 0;
#pragma unroll
            for (int k = 0; k < WEIGHTS; k++) {
                sum += w[k] * stages[t % STAGES][threadIdx.x + k];
            }
            out[first + r] = sum;
        }
        // --- end ---

        // May the copies of a later tile go into this stage now?
        // --- your code ---
        __syncthreads();    // only when all threads have read this stage
        // --- end ---
    }
}
