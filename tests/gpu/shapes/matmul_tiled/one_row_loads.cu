// the first row of threads loads both tiles
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE + 0], Bs[TILE][TILE + 0];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty, column = blockIdx.x * TILE + tx;
    float sum = 0.0f;
    for (int first = 0; first < K; first += TILE) {
        if (ty == 0)
            for (int y = 0; y < TILE; y++) {
                int r = blockIdx.y * TILE + y;
                As[y][tx] = r < M && first + tx < K ? A[r * K + first + tx] : 0.0f;
                Bs[y][tx] = first + y < K && column < N ? B[(first + y) * N + column] : 0.0f;
            }
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    if (row < M && column < N)
        C[row * N + column] = sum;
}
