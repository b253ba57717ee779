/* Attention in one pass over keys and values.
 *
 * Contract   q, out are matrices of queries x 64 floats, k and v of keys x 64 floats, on the device, stored row by row; they
 *            do not overlap. The score of query i and key j is q[i] . k[j] / 8, the sum of the 64 products by sqrt(64).
 *            Afterwards row i of out is the mean of all rows of v, row j weighed with e^score(i, j):
 *                out[i] = (e^score(i,0) v[0] + e^score(i,1) v[1] + ...) / (e^score(i,0) + e^score(i,1) + ...)
 *            q, k and v are as they were. out holds rubbish before the launch.
 * Launch     one launch, a thread for each query, blocks of 64 threads.
 * Run        build/lockstep grade attention
 * Read       handouts/attention.md
 *
 * Add your lines between the marks. Everything else can stay as it is.
 */

#include <float.h>    // FLT_MAX, the largest float
#include <math.h>     // INFINITY

#define HEAD 64      // numbers of a query, a key, a value and a result
#define BLOCK 64     // queries of a block, one for each thread
#define TILE 32      // keys, and values, that the block has in shared memory at a time
#define PIECE 4      // keys between two looks at the maximum

// All threads of the block together copy `rows` rows of 64 floats to the first rows of the tile, and 0 to its other rows up to
// `all`; `rows` may be larger than that. A row of the tile is one float longer, so that 32 threads can read a column at once.
__device__ void load_rows(float (*tile)[HEAD + 1], const float *from, int rows, int all)
{
    for (int at = threadIdx.x; at < all * HEAD; at += BLOCK) {
        tile[at / HEAD][at % HEAD] = at / HEAD < rows ? from[at] : 0;
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK) attention(const float *q, const float *k, const float *v, float *out,
                                                              int queries, int keys)
{
    // Which queries has this block, and how many of them exist? Shared memory for a row of each thread, and for TILE keys and
    // TILE values.
    // --- your code ---
    // --- end ---

    // Each thread takes its query through shared memory into an array of its own. It begins with 64 sums, the sum of the
    // weights, and the largest score so far. Threads without a query go on: they are needed for loading, and for barriers.
    // --- your code ---
    // --- end ---

    // Tile by tile: load the next TILE keys and values. Which barriers does a tile need?
    // PIECE by PIECE: the scores of the thread's query with these keys; -INFINITY for a key that does not exist. A larger
    // maximum makes the sum of the weights and all 64 sums smaller, by the same factor. Then add the PIECE weights, and the
    // rows of v times these weights.
    // --- your code ---
    // --- end ---

    // The results go through shared memory, too, so that neighbouring threads write neighbouring numbers.
    // --- your code ---
    // --- end ---
}
