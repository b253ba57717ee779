// cause: __shared__ is missing before the second tile
// first: not_shared
// says: Bs is declared without __shared__, so each thread has an array of its own, and what one thread stores in its Bs
// asks: Which threads store into this array, and which ones read what was stored?
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    float Bs[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
    float sum = 0;
    for (int first = 0; first < K; first += TILE) {
        As[threadIdx.y][threadIdx.x] = row < M && first + threadIdx.x < K ? A[row * K + first + threadIdx.x] : 0.0f;
        Bs[threadIdx.y][threadIdx.x] = first + threadIdx.y < K && column < N ? B[(first + threadIdx.y) * N + column] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
        __syncthreads();
    }
    if (row < M && column < N)
        C[row * N + column] = sum;
}
