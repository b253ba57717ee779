// cause: `tile` already counts elements (0, 16, 32 ...) and is multiplied by TILE once more in the row of B.
// first: wrong_value zeroed
// says: As[0][0] (it holds A[0][16]) by Bs[0][0], which holds 0, at line 30. Beside it belongs B[16][0].
// asks: Which condition decides about that, and what does it ask?
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    float sum = 0.0f;

    for (int tile = 0; tile < K; tile += TILE) {
        int ca = tile + threadIdx.x;
        int rb = tile * TILE + threadIdx.y;

        if (row < M && ca < K)
            As[threadIdx.y][threadIdx.x] = A[row * K + ca];
        else
            As[threadIdx.y][threadIdx.x] = 0.0f;
        if (rb < K && col < N)
            Bs[threadIdx.y][threadIdx.x] = B[rb * N + col];
        else
            Bs[threadIdx.y][threadIdx.x] = 0.0f;
        __syncthreads();

        for (int k = 0; k < TILE; k++)
            sum = sum + As[threadIdx.y][k] * Bs[k][threadIdx.x];
        __syncthreads();
    }

    if (row < M && col < N)
        C[row * N + col] = sum;
}
