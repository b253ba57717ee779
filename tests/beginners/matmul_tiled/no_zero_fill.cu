// cause: edges are not filled
// first: uninitialized shared
// says: C[0][0] is computed from As[0][1], which was never written: it is read at line 19 and goes into the result at
// asks: Which cells of the tile did no thread fill in this turn?
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE], Bs[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
    float sum = 0;
    for (int first = 0; first < K; first += TILE) {
        if (row < M && first + threadIdx.x < K)
            As[threadIdx.y][threadIdx.x] = A[row * K + first + threadIdx.x];
        if (first + threadIdx.y < K && column < N)
            Bs[threadIdx.y][threadIdx.x] = B[(first + threadIdx.y) * N + column];
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
        __syncthreads();
    }
    if (row < M && column < N)
        C[row * N + column] = sum;
}
