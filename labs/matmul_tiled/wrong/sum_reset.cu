// expect: wrong_value - the sum starts at 0 again in each tile
#define TILE 16
extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE], Bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    float sum = 0;
    for (int first = 0; first < K; first += TILE) {
        sum = 0;
        As[ty][tx] = row < M && first + tx < K ? A[row * K + first + tx] : 0;
        Bs[ty][tx] = col < N && first + ty < K ? B[(first + ty) * N + col] : 0;
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    if (row < M && col < N)
        C[row * N + col] = sum;
}
