// cause: Line 14: K / TS is an integer division that rounds down before ceil sees it, so the last, partial tile is never added when K is not a multiple of 16.
// first: wrong_value rounded_late
// says: In line 14, ceil gets K/TS = 17/16 = 1: a quotient of two whole numbers has no fraction left that could be rounded up.
// asks: Which number should it get?
#include <math.h>
#define TS 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TS][TS], Bs[TS][TS];

    int col = blockIdx.x * TS + threadIdx.x;
    int row = blockIdx.y * TS + threadIdx.y;
    int numTiles = (int)ceil((double)(K / TS));
    float result = 0.0;

    for (int tile = 0; tile < numTiles; tile++) {
        int a_k = tile * TS + threadIdx.x;
        int b_k = tile * TS + threadIdx.y;

        // out of range -> 0
        As[threadIdx.y][threadIdx.x] = (row < M && a_k < K) ? A[row * K + a_k] : 0.0;
        Bs[threadIdx.y][threadIdx.x] = (col < N && b_k < K) ? B[b_k * N + col] : 0.0;
        __syncthreads();

        for (int i = 0; i < TS; i++)
            result += As[threadIdx.y][i] * Bs[i][threadIdx.x];
        __syncthreads();
    }

    if (row < M && col < N)
        C[row * N + col] = result;
}
