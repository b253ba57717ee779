// expect: at most 78 - a tile is filled once and read once, and the product is computed without it
extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float tile[16][16];
    int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < K; k++) {
        if (row < M && col < N) {
            sum += A[row * K + k] * B[k * N + col];
        }
        if (k % 8 == 0) {
            tile[threadIdx.y][threadIdx.x] = sum;
            sum = tile[threadIdx.y][threadIdx.x];
        }
    }
    if (row < M && col < N) {
        C[row * N + col] = sum;
    }
}
