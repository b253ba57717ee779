// tiles of 32 x 33
#define TILE 32

extern "C" __global__ void __launch_bounds__(1024)
matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE + 1], Bs[TILE][TILE + 1];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty, column = blockIdx.x * TILE + tx;
    float sum = 0.0f;
    for (int first = 0; first < K; first += TILE) {
        As[ty][tx] = row < M && first + tx < K ? A[row * K + first + tx] : 0.0f;
        Bs[ty][tx] = first + ty < K && column < N ? B[(first + ty) * N + column] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    if (row < M && column < N)
        C[row * N + column] = sum;
}
