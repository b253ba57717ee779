// cause: row and column from the thread alone
// first: never_written overlap
// says: In block (1,0,0), line 12 stores elements from C[row 0, column 0] to C[row 15, column 15].
// asks: What is the index of line 12 made of, and which value has each part in the thread of the message?
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
