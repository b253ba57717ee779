// expect: async_copy line=27 - waits for all but the latest copies, which are those of the tile that it multiplies
#include <cuda_pipeline.h>
#define TILE 16

// Starts the copy of one element; outside of the matrix it becomes zero without being read.
#define FETCH(to, matrix, row, column, rows, columns)                                                                      \
    __pipeline_memcpy_async(to, (row) < (rows) && (column) < (columns) ? &matrix[(row) * (columns) + (column)] : matrix,   \
                            sizeof(float), (row) < (rows) && (column) < (columns) ? 0 : sizeof(float))

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    int tiles = (K + TILE - 1) / TILE;
    float sum = 0.0f;
    for (int t = 0; t < tiles; t++) {
        int k0 = t * TILE;
        FETCH(&As[ty][tx], A, row, k0 + tx, M, K);
        FETCH(&Bs[ty][tx], B, k0 + ty, col, K, N);
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    if (row < M && col < N)
        C[row * N + col] = sum;
}
