// one copy is awaited before the next begins
#define TILE 16
#include <cuda_pipeline.h>

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE + 0], Bs[TILE][TILE + 0];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty, column = blockIdx.x * TILE + tx;
    float sum = 0.0f;
    for (int first = 0; first < K; first += TILE) {
        bool inA = row < M && first + tx < K, inB = first + ty < K && column < N;
        __pipeline_memcpy_async(&As[ty][tx], inA ? &A[row * K + first + tx] : A, 4, inA ? 0 : 4);
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __pipeline_memcpy_async(&Bs[ty][tx], inB ? &B[(first + ty) * N + column] : B, 4, inB ? 0 : 4);
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    if (row < M && column < N)
        C[row * N + column] = sum;
}
