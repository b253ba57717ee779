// thread 0 loads both tiles
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE + 0], Bs[TILE][TILE + 0];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty, column = blockIdx.x * TILE + tx;
    float sum = 0.0f;
    for (int first = 0; first < K; first += TILE) {
        if (tx == 0 && ty == 0)
            for (int y = 0; y < TILE; y++)
                for (int x = 0; x < TILE; x++) {
                    int r = blockIdx.y * TILE + y, c = blockIdx.x * TILE + x;
                    As[y][x] = r < M && first + x < K ? A[r * K + first + x] : 0.0f;
                    Bs[y][x] = first + y < K && c < N ? B[(first + y) * N + c] : 0.0f;
                }
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    if (row < M && column < N)
        C[row * N + column] = sum;
}
