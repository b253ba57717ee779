// page: matmul_tiled.md
// says: with `min(k, K - 1)` in one tile and 0 in the other, the test with infinities fails
// expect: wrong_value
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y;
    int column = blockIdx.x * TILE + threadIdx.x;
    float sum = 0.0f;
    for (int first = 0; first < K; first += TILE) {
        int a_column = first + threadIdx.x;
        int b_row = first + threadIdx.y;
        As[threadIdx.y][threadIdx.x] = A[(size_t)min(row, M - 1) * K + min(a_column, K - 1)];
        Bs[threadIdx.y][threadIdx.x] = b_row < K && column < N ? B[(size_t)b_row * N + column] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; k++) {
            sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
        }
        __syncthreads();
    }
    if (row < M && column < N) {
        C[(size_t)row * N + column] = sum;
    }
}
