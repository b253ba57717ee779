// cause: K / BLOCK is an integer division before ceilf() rounds up, so the last tile is left out whenever K is not a multiple of 16 (and nothing is added at all for K < 16).
// first: wrong_value rounded_late
// says: In line 19, ceilf gets K/BLOCK = 17/16 = 1: a quotient of two whole numbers has no fraction left that could be rounded up.
// asks: Which number should it get?
#include <math.h>
#define BLOCK 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float sA[BLOCK][BLOCK];
    __shared__ float sB[BLOCK][BLOCK];

    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int y = blockIdx.y * blockDim.y + ty;
    int x = blockIdx.x * blockDim.x + tx;

    // number of phases, rounded up
    int phases = (int)ceilf(K / BLOCK);
    float tmp = 0.;

    for (int p = 0; p < phases; p++) {
        sA[ty][tx] = 0.;
        sB[ty][tx] = 0.;
        if (y < M && p * BLOCK + tx < K)
            sA[ty][tx] = A[y * K + p * BLOCK + tx];
        if (x < N && p * BLOCK + ty < K)
            sB[ty][tx] = B[(p * BLOCK + ty) * N + x];
        __syncthreads();

        for (int j = 0; j < BLOCK; j++)
            tmp += sA[ty][j] * sB[j][tx];
        __syncthreads();
    }

    if (y < M && x < N)
        C[y * N + x] = tmp;
}
