// page: matmul_tiled.md
// says: unless there is a line `matmul_tiled_block[3] = {columns, rows, 1}`
// expect: pass
extern "C" __constant__ int matmul_tiled_block[3] = {16, 8, 1};
extern "C" __global__ void __launch_bounds__(128) matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < M && column < N) {
        float sum = 0;
        for (int k = 0; k < K; k++) {
            sum += A[row * K + k] * B[k * N + column];
        }
        C[row * N + column] = sum;
    }
}
