// cause: the product reads Bs[k][ty]: the column of B's tile must be tx
// first: wrong_value exchanged
// says: C[0][1] is made of B[0..15][0], and should be made of B[0..15][1].
// asks: Which line has the wrong cell, the one that fills it or the one that reads it?
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty, column = blockIdx.x * TILE + tx;
    float sum = 0;
    for (int first = 0; first < K; first += TILE) {
        As[ty][tx] = row < M && first + tx < K ? A[row * K + first + tx] : 0;
        Bs[ty][tx] = first + ty < K && column < N ? B[(first + ty) * N + column] : 0;
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += As[ty][k] * Bs[k][ty];
        __syncthreads();
    }
    if (row < M && column < N)
        C[row * N + column] = sum;
}
