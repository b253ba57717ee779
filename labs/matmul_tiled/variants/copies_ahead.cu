// expect: pass - fetches the next tile by asynchronous copies while it multiplies the present one
#include <cuda_pipeline.h>
#define TILE 16

// Starts the copy of one element; outside of the matrix it becomes zero without being read.
static __device__ void fetch(float *to, const float *matrix, int row, int column, int rows, int columns)
{
    bool inside = row < rows && column < columns;
    __pipeline_memcpy_async(to, inside ? &matrix[row * columns + column] : matrix, sizeof *to, inside ? 0 : sizeof *to);
}

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[2][TILE][TILE];
    __shared__ float Bs[2][TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    int tiles = (K + TILE - 1) / TILE;
    float sum = 0.0f;
    for (int t = 0; t <= tiles; t++) {
        if (t < tiles) {
            fetch(&As[t % 2][ty][tx], A, row, t * TILE + tx, M, K);
            fetch(&Bs[t % 2][ty][tx], B, t * TILE + ty, col, K, N);
        }
        __pipeline_commit();
        if (t == 0)
            continue;
        __pipeline_wait_prior(1);
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += As[(t - 1) % 2][ty][k] * Bs[(t - 1) % 2][k][tx];
        __syncthreads();
    }
    if (row < M && col < N)
        C[row * N + col] = sum;
}
