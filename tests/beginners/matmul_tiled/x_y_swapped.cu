// cause: row from x, column from y, with the guard fitting
// first: never_written not_reached
// says: Line 12 stores into C, but no thread of block (1,0,0) came to it. The last line that they ran is line 8.
// asks: What sends the thread in the message past the store, and with which values?
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
