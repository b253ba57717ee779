// cause: the kernel stores B's tile transposed (Bs[tx][ty]), but line 24 reads it as if it were not (Bs[k][tx]), so each product takes B[first + tx][blockcol + k] instead of B[first + k][col].
// first: wrong_value exchanged
// says: This is the result that B[column*K + k] would give instead of B[k*N + column].
// asks: Which line has the wrong cell, the one that fills it or the one that reads it?
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE + 1];    // +1 because of bank conflicts
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;

    float s = 0.0f;
    for (int first = 0; first < K; first += TILE) {
        float a = 0.0f, b = 0.0f;
        if (row < M && first + tx < K) a = A[row * K + first + tx];
        if (col < N && first + ty < K) b = B[(first + ty) * N + col];
        As[ty][tx] = a;
        Bs[tx][ty] = b;
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            s += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    if (row < M && col < N) C[row * N + col] = s;
}
