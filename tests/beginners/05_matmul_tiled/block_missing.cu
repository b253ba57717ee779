// cause: row and column from the thread alone
// first: never_written
// says: 33 elements from C[row 0, column 16] to C[row 16, column 16] were never written.
// asks: Which thread should have done it?
extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    int row = threadIdx.y, column = threadIdx.x;
    if (row < M && column < N) {
        float sum = 0;
        for (int k = 0; k < K; k++)
            sum += A[row * K + k] * B[k * N + column];
        C[row * N + column] = sum;
    }
}
