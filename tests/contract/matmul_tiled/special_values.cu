// page: matmul_tiled.md
// says: one infinity each in the first and the last column of A and in the last row and the last column of B, and one NaN
// expect: pass
extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (M == 20 && N == 36 && K == 24 && row + column == 0) {
        int first = 0, last = 0, last_row = 0, last_column = 0, nan = 0, others = 0;
        for (int i = 0; i < M * K; i++) {
            if (!isfinite(A[i])) {
                (i % K == 0 ? first : i % K == K - 1 ? last : others)++;
            }
        }
        for (int i = 0; i < K * N; i++) {
            if (!isfinite(B[i])) {
                (isnan(B[i]) ? nan : i / N == K - 1 ? last_row : i % N == N - 1 ? last_column : others)++;
            }
        }
        if (first != 1 || last != 1 || last_row != 1 || last_column != 1 || nan != 1 || others != 0) {
            __trap();
        }
    }
    if (row < M && column < N) {
        float sum = 0;
        for (int k = 0; k < K; k++) {
            sum += A[row * K + k] * B[k * N + column];
        }
        C[row * N + column] = sum;
    }
}
