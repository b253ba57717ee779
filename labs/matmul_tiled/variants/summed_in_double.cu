// expect: pass - sums in double, one tile turned and padded, indices of the type size_t
#include <stddef.h>
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE + 1];
    __shared__ float Bt[TILE][TILE + 1];    // B's tile, turned: Bt[column][k]
    size_t row = (size_t)blockIdx.y * TILE + threadIdx.y;
    size_t col = (size_t)blockIdx.x * TILE + threadIdx.x;
    double sum = 0.0;

    for (int first = 0; first < K; first += TILE) {
        float a = 0.0f, b = 0.0f;
        if (row < M && first + threadIdx.x < K)
            a = A[row * K + first + threadIdx.x];
        if (first + threadIdx.y < K && col < N)
            b = B[(first + threadIdx.y) * (size_t)N + col];
        As[threadIdx.y][threadIdx.x] = a;
        Bt[threadIdx.x][threadIdx.y] = b;
        __syncthreads();

        for (int k = 0; k < TILE; k++)
            sum += (double)As[threadIdx.y][k] * Bt[threadIdx.x][k];
        __syncthreads();
    }

    if (row < M && col < N)
        C[row * N + col] = (float)sum;
}
