// cause: row from x, column from y, with the guard fitting
// first: never_written
// says: 225 elements from C[row 0, column 16] to C[row 14, column 30] were never written.
// asks: Which thread should have done it?
extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x, column = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < M && column < N) {
        float sum = 0;
        for (int k = 0; k < K; k++)
            sum += A[row * K + k] * B[k * N + column];
        C[row * N + column] = sum;
    }
}
