// tiles of 16 x 16, A's turned over in shared memory
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE + 0], Bs[TILE][TILE + 0];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty, column = blockIdx.x * TILE + tx;
    float sum = 0.0f;
    for (int first = 0; first < K; first += TILE) {
        As[tx][ty] = row < M && first + tx < K ? A[row * K + first + tx] : 0.0f;
        Bs[ty][tx] = first + ty < K && column < N ? B[(first + ty) * N + column] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += As[k][ty] * Bs[k][tx];
        __syncthreads();
    }
    if (row < M && column < N)
        C[row * N + column] = sum;
}
