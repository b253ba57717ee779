// cause: the elements on the diagonal are skipped
// first: never_written left
// says: whose element would be C[row 0, column 0], is line 9.
// asks: Which condition makes the thread in the message leave, and should it?
#define TILE 16
extern "C" __global__ void __launch_bounds__(TILE * TILE) matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    int row = blockIdx.y * TILE + threadIdx.y, col = blockIdx.x * TILE + threadIdx.x;
    if (row >= M || col >= N || row == col) return;
    float s = 0;
    for (int k = 0; k < K; k++) s += A[row * K + k] * B[k * N + col];
    C[row * N + col] = s;
}
