// cause: the second barrier is missing
// first: race_shared turns
// says: line 14 belongs to one turn of the loop in line 12, line 17 to another, and no barrier separates the turns
// asks: The two accesses belong to two turns of the loop. What makes every thread finish a turn before any thread begins
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE], Bs[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
    float sum = 0;
    for (int first = 0; first < K; first += TILE) {
        As[threadIdx.y][threadIdx.x] = row < M && first + threadIdx.x < K ? A[row * K + first + threadIdx.x] : 0.0f;
        Bs[threadIdx.y][threadIdx.x] = first + threadIdx.y < K && column < N ? B[(first + threadIdx.y) * N + column] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
    }
    if (row < M && column < N)
        C[row * N + column] = sum;
}
