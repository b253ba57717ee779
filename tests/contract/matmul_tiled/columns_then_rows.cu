// page: matmul_tiled.md
// says: columns of C first, then rows
// expect: pass
extern "C" __constant__ int matmul_tiled_items[2] = {64, 32};    // columns, rows
extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    if (gridDim.x != (N + 63) / 64 || gridDim.y != (M + 31) / 32 || blockDim.x != 16 || blockDim.y != 16) {
        __trap();
    }
    for (int row = blockIdx.y * 32 + threadIdx.y; row < M && row < (blockIdx.y + 1) * 32; row += 16) {
        for (int column = blockIdx.x * 64 + threadIdx.x; column < N && column < (blockIdx.x + 1) * 64; column += 16) {
            float sum = 0;
            for (int k = 0; k < K; k++) {
                sum += A[row * K + k] * B[k * N + column];
            }
            C[row * N + column] = sum;
        }
    }
}
