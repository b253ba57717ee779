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
    wmma::fragment<wmma::matrix_a, TILE, TILE, TILE, half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, TILE, TILE, TILE, half, wmma::row_major> b;
    wmma::fragment<wmma::accumulator, TILE, TILE, TILE, float> sums;
    wmma::fill_fragment(sums, 0.0f);
    int warp = threadIdx.x / 32;                                            // the same for all 32 lanes
    int row = warp / WARPS * TILE, column = warp % WARPS * TILE;            // of the warp's tile
    // --- end ---

    for (int first = 0; first < K; first += TILE) {
        // All threads together fill As with 32 x 16 elements of A, and Bs with 16 x 32 of B: 0 where the matrix has none.
        // --- your code ---
        for (int cell = threadIdx.x; cell < SIDE * TILE; cell += THREADS) {
            int a_row = first_row + cell / TILE, a_column = first + cell % TILE;
            int b_row = first + cell / SIDE, b_column = first_column + cell % SIDE;
            As[cell / TILE][cell % TILE] = a_row < M && a_column < K ? A[(size_t)a_row * K + a_column] : __float2half(0.0f);
            Bs[cell / SIDE][cell % SIDE] = b_row < K && b_column < N ? B[(size_t)b_row * N + b_column] : __float2half(0.0f);
        }
        __syncthreads();    // both tiles are complete
        // --- end ---

        // Load this warp's fragments from As and Bs. Multiply them, and add to the sums.
        // --- your code ---
        wmma::load_matrix_sync(a, &As[row][0], ROW_A);
        wmma::load_matrix_sync(b, &Bs[0][column], ROW_B);
        wmma::mma_sync(sums, a, b, sums);
        // --- end ---

        // What must every warp have finished before the next turn fills the tiles again?
        // --- your code ---
        __syncthreads();    // no warp loads from these tiles any more
        // --- end ---
    }

    // Store the sums to Cs, and from there to C: those elements that C has.
    // --- your code ---
    wmma::store_matrix_sync(&Cs[row][column], sums, ROW_C, wmma::mem_row_major);
    __syncthreads();        // the sums of all four warps are there
    for (int cell = threadIdx.x; cell < SIDE * SIDE; cell += THREADS) {
        int c_row = first_row + cell / SIDE, c_column = first_column + cell % SIDE;
        if (c_row < M && c_column < N) {
            C[(size_t)c_row * N + c_column] = Cs[cell / SIDE][cell % SIDE];
        }
    }
    // --- end ---
}
