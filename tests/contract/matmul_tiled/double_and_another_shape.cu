// page: matmul_tiled.md
// says: More exact is fine, too: a sum in double, say.
// expect: pass
extern "C" __constant__ int matmul_tiled_block[3] = {32, 8, 1};
extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
    if (blockDim.x != 32 || blockDim.y != 8 || ((size_t)A | (size_t)B | (size_t)C) % 256 != 0) {
        __trap();
    }
    if (row < M && column < N) {
        double sum = 0;
        for (int k = 0; k < K; k++) {
            sum += (double)A[row * K + k] * B[k * N + column];
        }
        C[row * N + column] = sum;
    }
}
