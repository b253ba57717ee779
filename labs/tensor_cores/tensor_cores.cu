/* Matrix product on tensor cores: C = A * B, with halves that are multiplied and floats that are added.
 *
 * Contract   A has M rows and K columns, B has K rows and N columns, both half; C has M rows and N columns, float. All are
 *            stored row by row. Afterwards C[row*N + column] is the sum of A[row*K + k] * B[k*N + column] over k from 0 to
 *            K-1, added as floats. M, N and K are any numbers from 1 up. The matrices do not overlap; C starts as rubbish.
 * Launch     one launch, blocks of 128 threads, which are 4 warps. A block computes 32 x 32 elements of C, each warp 16 x 16
 *            of them; enough blocks to cover C, x along the N columns, y along the M rows.
 * Run        build/lockstep grade tensor_cores
 * Read       handouts/tensor_cores.md
 *
 * Add your lines between the marks. Everything else can stay as it is.
 */

#include <mma.h>    // fragments, and with them cuda_fp16.h: half, __float2half

using namespace nvcuda;

#define TILE    16                  // rows, columns and depth of what one matrix instruction multiplies
#define WARPS   2                   // of a block, each way
#define SIDE    (WARPS * TILE)      // rows and columns of C that a block computes
#define THREADS (WARPS * WARPS * 32)
#define ROW_A   (TILE + 8)          // halves in a row of As; its last 8 are padding, against bank conflicts
#define ROW_B   (SIDE + 8)          // and of Bs
#define ROW_C   (SIDE + 8)          // floats in a row of Cs

extern "C" __constant__ int tensor_cores_items[2] = {SIDE, SIDE};     // tells the lab what a block computes

extern "C" __global__ void tensor_cores(const half *A, const half *B, float *C, int M, int N, int K)
{
    __shared__ __align__(32) half As[SIDE][ROW_A];     // fragments are loaded from addresses that are multiples of 32 bytes
    __shared__ __align__(32) half Bs[TILE][ROW_B];
    __shared__ __align__(32) float Cs[SIDE][ROW_C];
    int first_row = blockIdx.y * SIDE, first_column = blockIdx.x * SIDE;    // of the block's part of C

    // Declare a fragment of A, one of B and one of sums, and fill the sums with 0. Where in the block's 32 x 32 elements are
    // the 16 x 16 of this warp?
    // --- your code ---
    // --- end ---

    for (int first = 0; first < K; first += TILE) {
        // All threads together fill As with 32 x 16 elements of A, and Bs with 16 x 32 of B: 0 where the matrix has none.
        // --- your code ---
        // --- end ---

        // Load this warp's fragments from As and Bs. Multiply them, and add to the sums.
        // --- your code ---
        // --- end ---

        // What must every warp have finished before the next turn fills the tiles again?
        // --- your code ---
        // --- end ---
    }

    // Store the sums to Cs, and from there to C: those elements that C has.
    // --- your code ---
    // --- end ---
}
