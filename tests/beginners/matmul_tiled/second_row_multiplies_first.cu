// cause: Line 31: copy-paste slip, the sum for the second row of the thread multiplies row ty of A's tile again instead of row ty + 16.
// first: wrong_value exchanged
// says: C[16][0] is made of A[0][0..16], and should be made of A[16][0..16]. The thread that stores it multiplies As[0][0] (it holds A[0][0]) by Bs[0][0] (it holds B[0][0]), both read at line 31.
// asks: Which line has the wrong cell, the one that fills it or the one that reads it?
#define TILE 16

extern "C" __constant__ int matmul_tiled_items[2] = {16, 32};

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[2 * TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int col = blockIdx.x * TILE + tx;
    int rowA = blockIdx.y * 2 * TILE + ty;
    int rowB = rowA + TILE;
    float sumA = 0.0f;
    float sumB = 0.0f;

    for (int first = 0; first < K; first += TILE) {
        int kk = first + tx;
        As[ty][tx] = rowA < M && kk < K ? A[rowA * K + kk] : 0.0f;
        As[ty + TILE][tx] = rowB < M && kk < K ? A[rowB * K + kk] : 0.0f;
        kk = first + ty;
        Bs[ty][tx] = kk < K && col < N ? B[kk * N + col] : 0.0f;
        __syncthreads();

        for (int k = 0; k < TILE; k++) {
            sumA += As[ty][k] * Bs[k][tx];
            sumB += As[ty][k] * Bs[k][tx];
        }
        __syncthreads();
    }

    if (rowA < M && col < N)
        C[rowA * N + col] = sumA;
    if (rowB < M && col < N)
        C[rowB * N + col] = sumB;
}
