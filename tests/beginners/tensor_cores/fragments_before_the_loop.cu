// cause: loads the fragments once, before the tiles are filled
// first: race_shared
// says: read by thread (32,0,0) (line 31); no barrier between them
// asks: What must every thread have finished
#include <mma.h>

using namespace nvcuda;

#define TILE    16
#define WARPS   2
#define SIDE    (WARPS * TILE)
#define THREADS (WARPS * WARPS * 32)
#define ROW_A   (TILE + 8)
#define ROW_B   (SIDE + 8)
#define ROW_C   (SIDE + 8)

extern "C" __constant__ int tensor_cores_items[2] = {SIDE, SIDE};

extern "C" __global__ void tensor_cores(const half *A, const half *B, float *C, int M, int N, int K)
{
    __shared__ __align__(32) half As[SIDE][ROW_A];
    __shared__ __align__(32) half Bs[TILE][ROW_B];
    __shared__ __align__(32) float Cs[SIDE][ROW_C];
    int first_row = blockIdx.y * SIDE, first_column = blockIdx.x * SIDE;
    wmma::fragment<wmma::matrix_a, TILE, TILE, TILE, half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, TILE, TILE, TILE, half, wmma::row_major> b;
    wmma::fragment<wmma::accumulator, TILE, TILE, TILE, float> sums;
    wmma::fill_fragment(sums, 0.0f);
    int warp = threadIdx.x / 32;
    int row = warp / WARPS * TILE, column = warp % WARPS * TILE;
    wmma::load_matrix_sync(a, &As[row][0], ROW_A);
    wmma::load_matrix_sync(b, &Bs[0][column], ROW_B);
    for (int first = 0; first < K; first += TILE) {
        for (int cell = threadIdx.x; cell < SIDE * TILE; cell += THREADS) {
            int a_row = first_row + cell / TILE, a_column = first + cell % TILE;
            int b_row = first + cell / SIDE, b_column = first_column + cell % SIDE;
            As[cell / TILE][cell % TILE] = a_row < M && a_column < K ? A[(size_t)a_row * K + a_column] : __float2half(0.0f);
            Bs[cell / SIDE][cell % SIDE] = b_row < K && b_column < N ? B[(size_t)b_row * N + b_column] : __float2half(0.0f);
        }
        __syncthreads();
        wmma::mma_sync(sums, a, b, sums);
        __syncthreads();
    }
    wmma::store_matrix_sync(&Cs[row][column], sums, ROW_C, wmma::mem_row_major);
    __syncthreads();
    for (int cell = threadIdx.x; cell < SIDE * SIDE; cell += THREADS) {
        int c_row = first_row + cell / SIDE, c_column = first_column + cell % SIDE;
        if (c_row < M && c_column < N) {
            C[(size_t)c_row * N + c_column] = Cs[cell / SIDE][cell % SIDE];
        }
    }
}
