// cause: the tile of A does not move
// first: wrong_value exchanged
// says: C[0][0] is made of 2 x A[0][0] and A[0][1..15], and should be made of A[0][0..16].
// asks: Which row and column of A does line 13 compute there?
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE], Bs[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
    float sum = 0;
    for (int first = 0; first < K; first += TILE) {
        As[threadIdx.y][threadIdx.x] = row < M && threadIdx.x < K ? A[row * K + threadIdx.x] : 0.0f;
        Bs[threadIdx.y][threadIdx.x] = first + threadIdx.y < K && column < N ? B[(first + threadIdx.y) * N + column] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
        __syncthreads();
    }
    if (row < M && column < N)
        C[row * N + column] = sum;
}
