// cause: multiplies element by element
// first: wrong_value missing
// says: A[0][1..15] are missing in C[0][0], which has only A[0][0].
// asks: Which line should read them, and for which k does it run?
extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < M && column < N)
        C[row * N + column] = A[row * K] * B[column];
}
