// expect: wrong_value zeroed - one guard for both tiles: threads outside C load zeros that others need
#define TILE 16
extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE], Bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    float sum = 0;
    for (int first = 0; first < K; first += TILE) {
        As[ty][tx] = 0;
        Bs[ty][tx] = 0;
        if (row < M && col < N) {
            if (first + tx < K)
                As[ty][tx] = A[row * K + first + tx];
            if (first + ty < K)
                Bs[ty][tx] = B[(first + ty) * N + col];
        }
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    if (row < M && col < N)
        C[row * N + col] = sum;
}
